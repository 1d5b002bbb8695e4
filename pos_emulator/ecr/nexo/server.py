"""The till interface at its address: `https://HOST:8443/nexo/`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from pos_emulator.ecr.certificates import server_context
from pos_emulator.ecr.https import LIMITS, Address, HttpsLimits, Reply, serving_https
from pos_emulator.ecr.nexo.interface import TillInterface
from pos_emulator.ecr.nexo.messages import write_object
from pos_emulator.ecr.nexo.notifying import notifying
from pos_emulator.ecr.nexo.outcomes import UnreadableMessageError
from pos_emulator.ecr.nexo.settings import NexoSettings
from pos_emulator.ecr.ports import CustomerDesk, TillTerminal

PORT = 8443


def _now() -> datetime:
    return datetime.now(UTC)


@contextmanager
def serve_nexo(
    terminal: TillTerminal,
    address: Address,
    settings: NexoSettings,
    *,
    desk: CustomerDesk | None = None,
    now: Callable[[], datetime] = _now,
    limits: HttpsLimits = LIMITS,
) -> Iterator[str]:
    """The address at which tills find a terminal until the end of the block, such as
    `https://HOST:8443/nexo/`.

    `address` is a host and a port; port 0 is any free one. `desk` is who sees the texts of tills.
    Raises OSError where the port is not
    free or the folder cannot be written.
    """
    host = address[0]
    named = [host] if host not in ("", "0.0.0.0", "::") else []
    context = server_context(settings.folder, (*named, *settings.hosts), now=now())
    interface = TillInterface(terminal, settings, now=now, desk=desk)

    def respond(method: str, path: str, headers: Any, body: bytes) -> Reply:
        refused = _refusal_of(method, path, headers, settings.path)
        if refused:
            return refused
        try:
            return Reply(200, interface.answer(body))
        except UnreadableMessageError as error:
            return Reply(400, interface.reject(error))

    shown = f"[{host}]" if ":" in host else host or "localhost"
    try:
        with (
            serving_https(respond, address, context, limits=limits) as port,
            notifying(terminal, settings),
        ):
            yield f"https://{shown}:{port}{settings.path}"
    finally:
        interface.close()


def _refusal_of(method: str, path: str, headers: Any, served: str) -> Reply | None:
    """Why a request is no message of a till. One with an Origin comes from a page of another
    address in a browser, which has no business here.
    """
    if path.partition("?")[0].rstrip("/") != served.rstrip("/"):
        return _refusal(404, f"expected the path {served}, received another")
    if method != "POST":
        return _refusal(405, "expected POST")
    if "Origin" in headers:
        return _refusal(403, "expected a till, received a request of a page in a browser")
    return None


def _refusal(status: int, text: str) -> Reply:
    return Reply(status, write_object({"message": text}))
