"""Reading the parameters of a request: form body and query, flat, each name once.

Source: Transport and encoding. Choices: D-03 (an empty value is an absent parameter), D-04
(repeated and empty names, NUL and U+FFFD are refused), D-05 (limits), D-32 (where entityId may
stand), D-75 (a percent sign that encodes nothing stays), D-78 (bodies that are coded).
"""

import re
from collections.abc import Mapping
from typing import TypeGuard

from falcon import Request
from falcon.uri import parse_query_string

from simulator.catalogue.fields.limits import BODY_BYTES_MAX, PARAMETERS_MAX
from simulator.domain.core.errors import Refusal, Violations
from simulator.grammar.violations import Violation
from simulator.web.http.answers import MALFORMED
from simulator.web.http.context import exchange_of
from simulator.web.http.errors import EncodedBodyError, TooLargeError

FORM = "application/x-www-form-urlencoded"
ENTITY_ALIAS = "authentication.entityId"
IN_THE_QUERY_OF_A_POST = frozenset({"entityId", ENTITY_ALIAS})
NUL_OR_REPLACEMENT = ("\x00", "\ufffd")
# What nearly every client writes; anything else is read word by word.
USUAL_MEDIA = frozenset({FORM, f"{FORM}; charset=UTF-8", f"{FORM};charset=UTF-8"})
# Of ASCII text, the only escapes from which NUL or U+FFFD can come.
ODD_ESCAPE = re.compile("%(?:00|[89A-Fa-f])")


def read_parameters(req: Request) -> dict[str, str]:
    """Every parameter sent, by its flat name. Raises TooLargeError, Refusal, Violations."""
    text = _body_of(req)
    body = exchange_of(req).work(text.count("&"), _parse, text)
    query = _parse(req.query_string) if req.query_string else {}
    if not query:
        return _aliased(body)
    if req.method == "POST":
        _refuse_query(query)
    twice = body.keys() & query.keys()
    if twice:
        raise Violations([_repeated(name, 2) for name in sorted(twice)])
    return _aliased({**body, **query})


def _body_of(req: Request) -> str:
    """The body as text. Bytes are counted while they are read: a chunked body states no length."""
    stated = req.content_length
    if stated is None and "wsgi.input_terminated" not in req.env:
        return ""
    if stated is not None and stated > BODY_BYTES_MAX:
        raise TooLargeError("body", BODY_BYTES_MAX, stated)
    raw = req.env["wsgi.input"].read(BODY_BYTES_MAX + 1)
    if len(raw) > BODY_BYTES_MAX:
        raise TooLargeError("body", BODY_BYTES_MAX, len(raw))
    if not raw:
        return ""
    refuse_coded(req)
    _refuse_media(req.content_type)
    try:
        return str(raw, "utf-8")
    except UnicodeDecodeError as error:
        raise Refusal(
            MALFORMED, f"body: expected UTF-8, got another byte at {error.start}"
        ) from None


def refuse_coded(req: Request) -> None:
    """Raise EncodedBodyError for a body that does not come as it is. Choice: D-78."""
    coding = req.env.get("HTTP_CONTENT_ENCODING")
    if coding and coding.strip().lower() != "identity":
        raise EncodedBodyError(coding)


def _refuse_media(content_type: str | None) -> None:
    """A body without Content-Type is read as a form: the specification only suggests the header."""
    if content_type is None or content_type in USUAL_MEDIA:
        return
    media, _, options = content_type.lower().partition(";")
    charset = options.partition("charset=")[2].strip().strip('"')
    if media.strip() != FORM or charset not in ("", "utf-8", "utf8"):
        raise Refusal(
            MALFORMED, f"Content-Type: expected {FORM}; charset=UTF-8, got {content_type[:80]}"
        )


def _parse(text: str) -> dict[str, str]:
    separators = text.count("&")
    if separators >= PARAMETERS_MAX:
        raise TooLargeError("parameters", PARAMETERS_MAX, separators + 1)
    parsed = parse_query_string(text, keep_blank=True, csv=False)
    if not _each_once(parsed, separators + 1):
        listed = {name: value for name, value in parsed.items() if isinstance(value, list)}
        raise Violations([_repeated(name, len(value)) for name, value in listed.items()])
    if not _is_plain(text) or "" in parsed:
        _refuse_unreadable(parsed)
    if all(parsed.values()):
        return parsed
    return {name: value for name, value in parsed.items() if value}


def _is_plain(text: str) -> bool:
    """Whether no NUL and no U+FFFD can stand in what `text` is decoded to: seen without a look at
    each parameter.
    """
    return text.isascii() and "\0" not in text and ODD_ESCAPE.search(text) is None


def _each_once(parsed: Mapping[str, str | list[str]], parts: int) -> TypeGuard[dict[str, str]]:
    """Whether each name was sent once: there are as many as parts, or none has a list of texts."""
    return len(parsed) == parts or list not in map(type, parsed.values())


def _refuse_unreadable(parsed: Mapping[str, str]) -> None:
    everything = "".join(parsed.values()) + "".join(parsed)
    if "" in parsed or any(sign in everything for sign in NUL_OR_REPLACEMENT):
        raise Violations(_unreadable(parsed))


def _unreadable(parsed: Mapping[str, str]) -> list[Violation]:
    """What cannot be read: named where it has a readable name, its value never shown."""
    message = "must be UTF-8 text without NUL, under a name that is not empty"
    return [
        Violation(name.translate({0: None}), None, message, "D-04")
        for name, value in parsed.items()
        if not name or any(sign in name + value for sign in NUL_OR_REPLACEMENT)
    ]


def _repeated(name: str, count: int) -> Violation:
    return Violation(name, None, f"must be sent once, came {count} times", "D-04")


def _refuse_query(query: Mapping[str, str]) -> None:
    unexpected = query.keys() - IN_THE_QUERY_OF_A_POST
    if unexpected:
        message = "must be sent in the body, came in the query"
        raise Violations([Violation(name, None, message, "D-32") for name in sorted(unexpected)])


def _aliased(sent: dict[str, str]) -> dict[str, str]:
    """The alias of entityId takes its place, unless entityId was sent as well and differs."""
    if ENTITY_ALIAS in sent and sent.get("entityId", sent[ENTITY_ALIAS]) == sent[ENTITY_ALIAS]:
        sent["entityId"] = sent.pop(ENTITY_ALIAS)
    return sent
