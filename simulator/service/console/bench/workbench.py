"""The workbench: a request of the merchant API made from the rows of its operation, checked by the
compiled check, and sent as the merchant would.
"""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from simulator.catalogue.console_words import plain
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.client.merchant import FORM
from simulator.client.shown.beginnings import beginning_of
from simulator.client.wire import Answer, form_of
from simulator.derive.checks.check import kept_check
from simulator.derive.checks.compiled_rows import sent_rows
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.hosts import Host
from simulator.domain.ports.console import ConsolePorts
from simulator.domain.story_run import StoryCall
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import REQUIRED, Param
from simulator.grammar.violations import Violation
from simulator.service.console.lessons import facts_of

PARAMETERS_MAX = 200
PLACE = "{id}"

Sent = Mapping[str, str]


def operation_with(identity: str) -> Operation:
    """The operation with the id. Raises InvalidInputError."""
    if identity not in OPERATIONS:
        raise InvalidInputError("operation", plain("errors.operation"), beginning_of(identity, 40))
    return OPERATIONS[identity]


def rows_of(operation: Operation) -> Sequence[Param]:
    """The rows it takes, those it needs first."""
    return sorted(sent_rows(operation), key=lambda row: row.need != REQUIRED)


def violations_of(
    console: ConsolePorts, sandbox: str, identity: str, sent: Sent
) -> list[Violation]:
    """What the gateway would refuse of a request."""
    check = kept_check(operation_with(identity), console.server.registry.ports(sandbox).choices)
    entity = facts_of(console, sandbox)["entity_id"]
    return check.violations_of({"entityId": entity, **sent})


def send_request(
    console: ConsolePorts, sandbox: str, identity: str, *, about: str, sent: Sent, host: Host
) -> tuple[StoryCall, Answer]:
    """A request with the merchant's token on a host, and its answer; `about` is the id in its path.
    Raises InvalidInputError for too many parameters.
    """
    operation, facts = operation_with(identity), facts_of(console, sandbox, host)
    if len(sent) > PARAMETERS_MAX:
        raise InvalidInputError(
            "parameters", plain("errors.most", most=PARAMETERS_MAX), f"{len(sent)}"
        )
    headers = {"Authorization": f"Bearer {facts['token']}", "Accept": "application/json"}
    path = path_of(operation, about)
    whole = {"entityId": facts["entity_id"], **sent}
    if operation.method == "POST":
        headers["Content-Type"] = FORM
        call = StoryCall(facts["base_url"], "POST", path, headers, form_of(whole))
    else:
        target = f"{path}?{urlencode(whole)}"
        call = StoryCall(facts["base_url"], operation.method, target, headers, None)
    return call, console.ask(call)


def path_of(operation: Operation, about: str) -> str:
    """The path of an operation, without the slash it begins with. Raises InvalidInputError."""
    # A settlement is named by its day and its institute, such as 2026-11-20.sandgate-clearing.
    signs = about.replace(".", "").replace("-", "")
    if PLACE in operation.path and not (about.isascii() and signs.isalnum()):
        raise InvalidInputError(
            "id", plain("errors.path_id"), beginning_of(about, 40) or plain("errors.none")
        )
    return operation.path.lstrip("/").replace(PLACE, about)
