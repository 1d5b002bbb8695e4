"""A request of the workbench, written down: for a shell, a program, a story, a feature."""

import re
import shlex
from collections.abc import Mapping
from http import HTTPStatus
from textwrap import indent
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote, urlencode

from scenarios.story import literal_text, story_text
from simulator.client.wire import Answer, form_of
from simulator.domain.console.recording import secrets_in, storable, storable_text
from simulator.domain.core.background import Aside
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.hosts import TEST, TOKEN_NAMES
from simulator.domain.core.ports import HasClock, HasStore
from simulator.domain.core.records import Payment
from simulator.domain.masking.masking import ValueKind, kind_of
from simulator.domain.schedules.schedules import Schedule
from simulator.grammar.operations import Operation
from simulator.service.console.bench.beginnings import Beginnings, step_of
from simulator.service.console.bench.workbench import PLACE, path_of
from simulator.service.console.patterns import needed_options_of

TOKEN_NAME = TOKEN_NAMES[TEST]
# Of parameters these are readable, and mean themselves in a form.
KEPT_IN_NAMES, KEPT_IN_VALUES = "[]", "[]()*,/:;@!$'=?{}|"
# Names that the sentences of the suite give to what was there before.
NAMED_BY_SUITE = ("payment", "capture", "checkout", "stored")
# Answers that rest on what happened before, or on nothing that can be sent again.
FLEETING = (429, *range(500, 600))
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
REAL = "real"


class CopyPorts(HasClock, HasStore, Protocol):
    """What is read of a sandbox to write a request down."""

    @property
    def sandbox(self) -> Sandbox:
        """The sandbox."""


class RequestCopies(NamedTuple):
    """The same request for others; where the token goes is named, its value left out. `story` and
    `gherkin` are whole files. They are empty where the answer would not come again in another
    sandbox, `gherkin` also where the suite has no sentence for it or the sandbox is not as its own
    are, `raw` where nothing stands in the body.
    """

    raw: str
    curl: str
    python: str
    story: str
    gherkin: str


class SentRequest(NamedTuple):
    """A request of the workbench: `about` is the id in its path, `beginnings` what it needs."""

    operation: Operation
    about: str
    sent: Mapping[str, str]
    beginnings: Beginnings


class SandboxBefore(NamedTuple):
    """What a sandbox is asked for to answer alike; empty `options` are of its own. `now` is its
    time, which counts where its clock `is_set` or a date is sent.
    """

    options: Mapping[str, Any]
    now: str
    is_set: bool


def copies_of(
    facts: Mapping[str, str],
    request: SentRequest,
    answer: Answer,
    ports: CopyPorts,
    *,
    aside: Aside,
) -> RequestCopies:
    """A request as curl, Python, a story, and a feature that expects the same answer. Card numbers
    and codes other than published ones are replaced by test values. All are written down aside.
    """
    safe = aside(storable, request.sent)
    about = aside(lambda: storable_text(request.about, secrets_in(request.sent)))
    now, mode = f"{ports.clock.now():%Y-%m-%dT%H:%M:%SZ}", ports.clock.setting.mode
    before = SandboxBefore(needed_options_of(ports.sandbox), now, mode != REAL)
    again = about == request.about and _comes_again(request, safe, answer, ports)
    shown = request._replace(about=about)
    return aside(lambda: _written(facts, shown, safe, answer, before=before if again else None))


def _written(
    facts: Mapping[str, str],
    request: SentRequest,
    safe: Mapping[str, str],
    answer: Answer,
    *,
    before: SandboxBefore | None,
) -> RequestCopies:
    """All of them; without `before` the answer would not come again."""
    operation, method = request.operation, request.operation.method
    path = path_of(operation, request.about)
    whole = {"entityId": facts["entity_id"], **safe}
    return RequestCopies(
        form_of(whole).decode() if method == "POST" else "",
        curl_of(f"{facts['base_url']}{path}", method, whole, facts["token_name"]),
        _python_of(facts, method, path=path, sent=safe),
        "" if before is None else _story_of(request, safe, answer, before),
        "" if before is None or before.options else _gherkin_of(request, safe, answer),
    )


def _comes_again(
    request: SentRequest, safe: Mapping[str, str], answer: Answer, ports: HasStore
) -> bool:
    """Whether the answer comes in another sandbox too, once what it needs was made there."""
    operation, beginnings = request.operation, request.beginnings
    payment = ports.store.get(Payment, answer.id)
    decided = payment.outcome.decided_by if payment is not None and payment.outcome else ""
    is_found = request.about in beginnings.names if PLACE in operation.path else _makes(operation)
    return (
        beginnings.is_known
        and not _is_masked(request.sent, safe)
        and answer.status not in FLEETING
        and not decided.startswith("script ")
        and (is_found or answer.status >= HTTPStatus.BAD_REQUEST)
        # How a schedule went on since cannot be made again.
        and ports.store.get(Schedule, request.about) is None
    )


def _is_masked(sent: Mapping[str, str], safe: Mapping[str, str]) -> bool:
    """Whether a part of a request is not repeated. A card and its code are: as those of tests."""
    return any(
        safe.get(name) != text and (name not in safe or kind_of(name) is ValueKind.PLAIN)
        for name, text in sent.items()
    )


def _makes(operation: Operation) -> bool:
    """Whether it makes something; a list shows what is in its sandbox."""
    return operation.method == "POST"


def curl_of(url: str, method: str, sent: Mapping[str, str], token_name: str = TOKEN_NAME) -> str:
    """A request as curl sends it, with the token in a variable. Shoppers and merchants wrote parts
    of it: none of them is more than one word of the shell, or a control character.
    """
    option = "-d" if method == "POST" else f"-X {method} -G -d"
    pairs = (
        f"{quote(name, safe=KEPT_IN_NAMES)}={quote(value, safe=KEPT_IN_VALUES)}"
        for name, value in sent.items()
    )
    data = "".join(f" \\\n  {option} {_quoted(pair)}" for pair in pairs)
    return f'curl {shlex.quote(url)} -H "Authorization: Bearer ${token_name}"{data}'


def _python_of(facts: Mapping[str, str], method: str, *, path: str, sent: Mapping[str, str]) -> str:
    base_url, entity, token = (facts[name] for name in ("base_url", "entity_id", "token_name"))
    return (
        "import os\nfrom simulator.client import Client\n\n"
        f"client = Client({base_url!r}, os.environ[{token!r}], {entity!r})\n"
        f"answer = client.{method.lower()}({path!r}, {dict(sent)!r})\n"
        "print(answer.status, answer.code)\n"
    )


def _title_of(operation: Operation, answer: Answer) -> str:
    return f"{operation.id} is answered {answer.status} {answer.code}".rstrip()


def _story_of(
    request: SentRequest, sent: Mapping[str, str], answer: Answer, before: SandboxBefore
) -> str:
    """The file of a story."""
    operation, beginnings = request.operation, request.beginnings
    path = operation.path.lstrip("/").replace(PLACE, beginnings.named(request.about, "{{{}}}"))
    kind = "form" if operation.method == "POST" else "query"
    named = {name: beginnings.named(literal_text(text), "{{{}}}") for name, text in sent.items()}
    call = {"method": operation.method, "path": path, **({kind: named} if named else {})}
    expected = {"status": answer.status, **({"code": answer.code} if answer.code else {})}
    steps = [step_of(each) for each in beginnings.steps]
    steps.append({"say": "The merchant sends the request.", "call": call, "expect": expected})
    texts = [*sent.values(), *(text for each in beginnings.steps for text in each.form.values())]
    options = dict(before.options)
    if before.is_set or any(map(DATE.search, texts)):
        options["clock"] = {"mode": "frozen", "at": before.now}
    head = {"title": _title_of(operation, answer), "about": "A request of the workbench."}
    return story_text({**head, **({"sandbox": options} if options else {}), "steps": steps})


def _gherkin_of(request: SentRequest, sent: Mapping[str, str], answer: Answer) -> str:
    """The file of a feature; none where the suite has no sentence for what the request needs."""
    operation, given = request.operation, request.beginnings.sentences
    names = request.beginnings.names
    about = names.get(request.about, "")
    is_said = about in NAMED_BY_SUITE and f"{about}_2" not in names.values() if about else True
    if given is None or not is_said or not names.keys().isdisjoint(sent.values()):
        return ""
    if (operation.method == "POST" and not sent) or any(map(_is_trimmed, sent.values())):
        return ""
    path = operation.path.replace(PLACE, f"{{{about}}}" if about else request.about)
    lines = [f"Scenario: {_title_of(operation, answer)}"]
    lines += [f"  {'And' if number else 'Given'} {each}" for number, each in enumerate(given)]
    if operation.method == "POST":
        lines.append(f'  When the merchant posts to "{path}"')
        lines += [f"    | {_cell(name)} | {_cell(value)} |" for name, value in sent.items()]
    else:
        query = f"?{urlencode(sent)}" if sent else ""
        lines.append(f'  When the merchant {operation.method}s "{path}{query}"')
    lines.append(f"  Then the status is {answer.status}")
    if answer.code:
        lines.append(f'  And the response shows result.code "{answer.code}"')
    scenario = indent("\n".join(lines), "  ")
    return f"Feature: A request of the workbench\n\n{scenario}\n"


def _is_trimmed(text: str) -> bool:
    """Whether a cell of a table would lose some of it."""
    return text != text.strip()


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "\\n")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
