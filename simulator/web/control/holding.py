"""/_sandbox/v1/sandboxes/{id}/breakpoints and .../held: hold messages at a party, let them go."""

from typing import Annotated

import msgspec
from falcon import Request, Response

from scenarios.errors import ScriptError
from simulator.domain.core.shapes import shape
from simulator.domain.holding import STOPS, HeldMessage
from simulator.service.holding import Action, answers_at, let_go, set_breakpoints
from simulator.web.control.access import ONE_SANDBOX, ControlAccess, input_error, read_document
from simulator.web.control.documents.holding import Breakpoints, HeldDocument, HeldList
from simulator.web.http.answers import send
from simulator.web.http.route import Route


class AskedLet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a held message goes on."""

    action: Action
    answer: Annotated[
        str, shape("One of its answers, or at the acquirer a result code that declines.")
    ] = ""


class BreakpointsResource:
    """The breakpoints of a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read at which parties messages are held."""
        send(resp, 200, Breakpoints(self._access.sandbox(req, identity).breakpoints))

    def on_put(self, req: Request, resp: Response, identity: str) -> None:
        """Hold messages at these parties, and at no other."""
        sandbox = self._access.sandbox(req, identity)
        asked = read_document(req, Breakpoints)
        after = set_breakpoints(self._access.server, sandbox.id, asked.parties)
        send(resp, 200, Breakpoints(after.breakpoints))


class HeldResource:
    """The messages that are held."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """List them, the oldest first."""
        held = self._access.ports(req, identity).holds.held()
        send(resp, 200, HeldList(tuple(map(self._document_of, held))))

    def on_post_one(self, req: Request, resp: Response, identity: str, held: str) -> None:
        """Let one go on: as it is, answered, or not at all."""
        ports = self._access.ports(req, identity)
        asked = read_document(req, AskedLet)
        try:
            message = let_go(
                ports,
                held,
                asked.action,
                answer=asked.answer,
                behaviours=self._access.behaviours,
            )
        except ScriptError as error:
            raise input_error(error) from None
        send(resp, 200, self._document_of(message))

    def _document_of(self, message: HeldMessage) -> HeldDocument:
        row = STOPS[message.stop]
        return HeldDocument(
            id=message.id,
            party=message.stop,
            sender=row.sender,
            receiver=row.receiver,
            label=message.label,
            payment=message.payment,
            ndc=message.ndc,
            held_at=message.at,
            dropped=row.dropped,
            answers=answers_at(message.stop, self._access.behaviours),
        )


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    held = HeldResource(access)
    return (
        Route(f"{ONE_SANDBOX}/breakpoints", BreakpointsResource(access)),
        Route(f"{ONE_SANDBOX}/held", held),
        Route(f"{ONE_SANDBOX}/held/{{held}}", held, "one"),
    )
