"""The workbench: a request of the merchant API made from the rows of its operation, checked by the
compiled check, sent as the merchant would, and written down for programs.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlencode

from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.client.merchant import FORM
from simulator.client.wire import Answer, form_of
from simulator.derive.checks.check import Check, compile_check
from simulator.derive.checks.compiled_rows import sent_rows
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.ports.console import ConsolePorts
from simulator.domain.story_run import StoryCall
from simulator.grammar.choices import Choices
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import REQUIRED, Param
from simulator.grammar.violations import Violation
from simulator.service.console.lessons import facts_of

TOKEN_NAME = "$SANDGATE_TOKEN"
PARAMETERS_MAX = 200
PLACE = "{id}"

Sent = Mapping[str, str]


class RequestCopies(NamedTuple):
    """The same request for programs; where the token goes is named, its value left out."""

    curl: str
    python: str
    story: str


def operation_with(identity: str) -> Operation:
    """The operation with the id. Raises InvalidInputError."""
    if identity not in OPERATIONS:
        raise InvalidInputError("operation", "an operation of the merchant API", identity[:40])
    return OPERATIONS[identity]


def rows_of(operation: Operation) -> Sequence[Param]:
    """The rows it takes, those it needs first."""
    return sorted(sent_rows(operation), key=lambda row: row.need != REQUIRED)


@lru_cache(maxsize=64)
def _check_of(identity: str, choices: Choices) -> Check:
    """Compiling takes longer than checking, and a form is checked while it is typed."""
    return compile_check(operation_with(identity), choices)


def violations_of(
    console: ConsolePorts, sandbox: str, identity: str, sent: Sent
) -> list[Violation]:
    """What the gateway would refuse of a request."""
    choices = console.server.registry.ports(sandbox).choices
    entity = facts_of(console, sandbox)["entity_id"]
    return _check_of(identity, choices).violations_of({"entityId": entity, **sent})


def send_request(
    console: ConsolePorts, sandbox: str, identity: str, *, about: str, sent: Sent
) -> Answer:
    """The answer to a request with the merchant's token on the test host; `about` is the id in its
    path. Raises InvalidInputError for too many parameters.
    """
    operation, facts = operation_with(identity), facts_of(console, sandbox)
    if len(sent) > PARAMETERS_MAX:
        raise InvalidInputError("parameters", f"at most {PARAMETERS_MAX}", f"{len(sent)}")
    headers = {"Authorization": f"Bearer {facts['token']}", "Accept": "application/json"}
    path = _path(operation, about)
    whole = {"entityId": facts["entity_id"], **sent}
    if operation.method == "POST":
        headers["Content-Type"] = FORM
        return console.ask(StoryCall(facts["base_url"], "POST", path, headers, form_of(whole)))
    target = f"{path}?{urlencode(whole)}"
    return console.ask(StoryCall(facts["base_url"], operation.method, target, headers, None))


def copies_of(
    base_url: str, entity: str, operation: Operation, *, about: str, sent: Sent
) -> RequestCopies:
    """A request as curl, Python, and the step of a story."""
    path, whole = _path(operation, about), {"entityId": entity, **sent}
    option = "-d" if operation.method == "POST" else f"-X {operation.method} -G -d"
    data = "".join(f" \\\n  {option} {_quoted(f'{name}={value}')}" for name, value in whole.items())
    curl = f'curl {base_url}{path} -H "Authorization: Bearer {TOKEN_NAME}"{data}'
    python = (
        "import os\nfrom simulator.client import Client\n\n"
        f"client = Client({base_url!r}, os.environ['SANDGATE_TOKEN'], {entity!r})\n"
        f"answer = client.{operation.method.lower()}({path!r}, {dict(sent)!r})\n"
        "print(answer.status, answer.code)\n"
    )
    kind = "form" if operation.method == "POST" else "query"
    call = {"method": operation.method, "path": path, kind: dict(sent)}
    story = f"- say: The merchant asks.\n  call: {json.dumps(call)}\n  expect: {{status: 200}}\n"
    return RequestCopies(curl, python, story)


def _path(operation: Operation, about: str) -> str:
    if PLACE in operation.path and not (about.isascii() and about.replace(".", "").isalnum()):
        raise InvalidInputError("id", "the id that stands in the path", about[:40] or "none")
    return operation.path.lstrip("/").replace(PLACE, about)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
