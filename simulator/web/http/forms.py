"""Reading the parameters of a request: form body and query, flat, each name once.

Source: Transport and encoding. Choices: D-03 (an empty value is an absent parameter), D-04
(repeated and empty names, NUL and U+FFFD are refused), D-05 (limits), D-32 (where entityId may
stand), D-75 (a percent sign that encodes nothing stays), D-78 (bodies that are coded), D-270 (names
sent twice).
"""

import re
from collections.abc import Iterator, Mapping
from typing import TypeGuard

from falcon import Request
from falcon.uri import parse_query_string

from simulator.catalogue.fields.basic import ENTITY_ALIAS
from simulator.catalogue.fields.limits import BODY_BYTES_MAX, NAME_BYTES_MAX, PARAMETERS_MAX
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.background import LONG_REQUEST
from simulator.domain.core.errors import Refusal, Violations
from simulator.domain.masking import card_numbers, masking
from simulator.grammar.choices import Choices
from simulator.grammar.violations import Violation
from simulator.web.http.answers import MALFORMED
from simulator.web.http.context import exchange_of
from simulator.web.http.errors import EncodedBodyError, TooLargeError

FORM = "application/x-www-form-urlencoded"
IN_THE_QUERY_OF_A_POST = frozenset({"entityId", ENTITY_ALIAS})
CUSTOM = "customParameters["
EQUAL_ACCEPTED = {"repeated_names": "equal"}
NUL_OR_REPLACEMENT = ("\x00", "\ufffd")
# What nearly every client writes; anything else is read word by word.
USUAL_MEDIA = frozenset({FORM, f"{FORM}; charset=UTF-8", f"{FORM};charset=UTF-8"})
UTF_8 = frozenset({"", "utf-8", "utf8"})
# A sign of a name is a coded byte or stands for itself: there is one way to read it.
LONG_NAME = re.compile(
    rf"(?:\A|&)((?:%[0-9A-Fa-f]{{2}}|[^=&%]|%(?![0-9A-Fa-f]{{2}})){{{NAME_BYTES_MAX + 1}}})"
)
# Each parameter of a piece begins so early that a name which is too long is seen in this beginning.
NAMES_SEEN = LONG_REQUEST + 3 * (NAME_BYTES_MAX + 2)
LENGTH_OF_NAME = "bytes in the name of a parameter"
# Of so many characters no name has too many bytes.
SURELY_SHORT = NAME_BYTES_MAX // 4
# Of ASCII text, the only escapes from which NUL or U+FFFD can come.
ODD_ESCAPE = re.compile("%(?:00|[89A-Fa-f])")


# A shorter request has too few digits to take long.
SHORT_REQUEST = 400

# Values of decisions by the names of their switches.
Rules = Choices | Mapping[str, str]


# The parameters of a form or a query, and what is wrong with their names. Of a name that was sent
# more than once, the last value is kept.
ReadForm = tuple[dict[str, str], list[Violation]]


def read_parameters(
    req: Request, *, rules: Rules | None = None, bytes_max: int = BODY_BYTES_MAX
) -> dict[str, str]:
    """Every parameter sent, by its flat name. Raises TooLargeError, Refusal, Violations,
    UnreadableRequestError.

    `rules` are other choices than those of the sandbox. What can be read of a refused request is
    left to the journal.
    """
    text, exchange = _body_of(req, bytes_max), exchange_of(req)
    exchange.size = len(text) + len(req.query_string)
    rules = rules or exchange.choices
    sent, wrong = exchange.work(text.count("&"), _parse, text, rules)
    if req.query_string:
        body = sent
        query, wrong_there = _parse(req.query_string, rules)
        sent = {**body, **query}
        wrong = [*wrong, *wrong_there] or _misplaced(req.method, body, query, rules)
    if SHORT_REQUEST < exchange.size <= LONG_REQUEST:
        values = "\0".join(sent.values())
        exchange.is_slow = masking.takes_long(values) or card_numbers.takes_long(
            "\0".join((*sent, values))
        )
    wrong = [*wrong, *_take_alias(sent)]
    if wrong:
        exchange.sent = sent
        raise Violations(wrong)
    return sent


def read_body(req: Request, bytes_max: int) -> bytes:
    """The body as it came, which is still coming where it is long. Raises TooLargeError, where it
    states its length unread; a chunked body states none. Raises UnreadableRequestError.
    """
    stated = req.content_length
    if stated is None and "wsgi.input_terminated" not in req.env:
        return b""
    if stated is not None and stated > bytes_max:
        raise TooLargeError("body", bytes_max, stated)
    raw: bytes = req.env["wsgi.input"].read(bytes_max + 1)
    if len(raw) > bytes_max:
        raise TooLargeError("body", bytes_max, len(raw))
    return raw


def _body_of(req: Request, bytes_max: int) -> str:
    raw = read_body(req, bytes_max)
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
    media, *options = (part.strip() for part in content_type.lower().split(";"))
    named = (part.removeprefix("charset=") for part in options if part.startswith("charset="))
    if media != FORM or not {name.strip('"') for name in named} <= UTF_8:
        raise Refusal(
            MALFORMED,
            f"Content-Type: expected {FORM}; charset=UTF-8, got {beginning_of(content_type, 80)}",
        )


def _parse(text: str, rules: Rules) -> ReadForm:
    separators = text.count("&")
    if separators >= PARAMETERS_MAX:
        raise TooLargeError("parameters", PARAMETERS_MAX, separators + 1)
    parsed = _decoded(text)
    if max(map(len, parsed), default=0) > SURELY_SHORT:
        longest = max(len(name.encode()) for name in parsed)
        if longest > NAME_BYTES_MAX:
            raise TooLargeError(LENGTH_OF_NAME, NAME_BYTES_MAX, longest)
    if _each_once(parsed, separators + 1):
        sent: dict[str, str] = parsed
        wrong: list[Violation] = []
    else:
        sent, wrong = _merged(parsed, rules)
    if not _is_plain(text) or "" in sent:
        wrong += [_unreadable(name) for name in _take_unreadable(sent)]
    if all(sent.values()):
        return sent, wrong
    return {name: value for name, value in sent.items() if value}, wrong


def _decoded(text: str) -> dict[str, str | list[str]]:
    """The parameters; of a name that was sent several times a list. A long text is decoded piece by
    piece: no other thread has a turn while one call decodes.
    """
    if len(text) <= LONG_REQUEST:
        return parse_query_string(text, keep_blank=True, csv=False)
    found: dict[str, str | list[str]] = {}
    for piece in _pieces_of(text):
        refuse_long_name(piece)
        for name, value in parse_query_string(piece, keep_blank=True, csv=False).items():
            found[name] = [*_listed(found[name]), *_listed(value)] if name in found else value
    return found


def _pieces_of(text: str) -> Iterator[str]:
    """A text in pieces that end with a parameter."""
    start = 0
    while start < len(text):
        end = text.find("&", start + LONG_REQUEST)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def refuse_long_name(text: str) -> None:
    """Raise TooLargeError for a name in a piece that is too long, before anything is decoded.

    No other thread has a turn while one pattern is sought: not in a value of 15 MiB.
    """
    found = LONG_NAME.search(text, 0, NAMES_SEEN)
    if found is not None:
        ends = (text.find(sign, found.end()) for sign in "=&")
        end = min((each for each in ends if each >= 0), default=len(text))
        raise TooLargeError(LENGTH_OF_NAME, NAME_BYTES_MAX, end - found.start(1))


def _is_plain(text: str) -> bool:
    """Whether no NUL and no U+FFFD can stand in what `text` is decoded to: seen without a look at
    each parameter. Of a long text that is not known.
    """
    if len(text) > LONG_REQUEST:
        return False
    return text.isascii() and "\0" not in text and ODD_ESCAPE.search(text) is None


def _each_once(parsed: Mapping[str, str | list[str]], parts: int) -> TypeGuard[dict[str, str]]:
    """Whether each name was sent once: there are as many as parts, or none has a list of texts."""
    return len(parsed) == parts or list not in map(type, parsed.values())


def _merged(
    parsed: Mapping[str, str | list[str]], rules: Rules
) -> tuple[dict[str, str], list[Violation]]:
    """Each name with one value, and the repetitions that are refused. Choice: D-270."""
    wrong = [
        _repeated(name, len(value))
        for name, value in parsed.items()
        if isinstance(value, list) and not (_accepts_equal(rules) and _is_harmless(name, value))
    ]
    return {name: _last(value) for name, value in parsed.items()}, wrong


def _accepts_equal(rules: Rules) -> bool:
    return rules["repeated_names"] == "equal"


def _is_harmless(name: str, values: list[str]) -> bool:
    """Whether nothing depends on which of the values is meant."""
    return name.startswith(CUSTOM) or len({*values} - {""}) < 2


def _last(value: str | list[str]) -> str:
    if isinstance(value, str):
        return value
    return next((each for each in reversed(value) if each), "")


def _take_unreadable(parsed: dict[str, str]) -> list[str]:
    """The names that, or whose values, cannot be read: they are removed."""
    everything = "".join(parsed.values()) + "".join(parsed)
    if "" not in parsed and not any(sign in everything for sign in NUL_OR_REPLACEMENT):
        return []
    found = [
        name
        for name, value in parsed.items()
        if not name or any(sign in name + value for sign in NUL_OR_REPLACEMENT)
    ]
    for name in found:
        del parsed[name]
    return found


def _unreadable(name: str) -> Violation:
    """What cannot be read: named where it has a readable name, its value never shown."""
    message = "must be UTF-8 text without NUL, under a name that is not empty"
    return Violation(name.translate({0: None}), None, message, "D-04")


def _repeated(name: str, count: int) -> Violation:
    return Violation(name, None, f"must be sent once, came {count} times", "D-04")


def _misplaced(
    method: str, body: Mapping[str, str], query: Mapping[str, str], rules: Rules
) -> list[Violation]:
    """What may not stand in the query of a POST, or stands in query and body. Choices: D-32,
    D-270.
    """
    is_tolerant = _accepts_equal(rules)
    equal = {name for name in query if is_tolerant and body.get(name) == query[name]}
    unexpected = query.keys() - IN_THE_QUERY_OF_A_POST - equal if method == "POST" else set()
    message = "must be sent in the body, came in the query"
    return [Violation(name, None, message, "D-32") for name in sorted(unexpected)] or [
        _repeated(name, 2) for name in sorted((body.keys() & query.keys()) - equal)
    ]


def _take_alias(sent: dict[str, str]) -> list[Violation]:
    """Put the alias of entityId in its place; both with two values are wrong. Choice: D-32."""
    if ENTITY_ALIAS not in sent:
        return []
    if sent.setdefault("entityId", sent[ENTITY_ALIAS]) == sent[ENTITY_ALIAS]:
        del sent[ENTITY_ALIAS]
        return []
    message = "must be equal to entityId, of which it is another name"
    return [Violation(ENTITY_ALIAS, None, message, "D-32")]
