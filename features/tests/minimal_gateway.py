"""A minimal gateway: it approves every payment, unless its settings say otherwise.

It has no control API, stores nothing and validates nothing, so a test of the conformance suite does
not depend on the gateway of this project.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from simulator.client.listener import ListenerResponse, ReceivedRequest, listening

APPROVED, REFUSED, THROTTLED = "000.100.110", "200.300.404", "800.120.100"
TOKEN = "a-token-not-to-be-seen-0123456789"
CAPABILITY = "6592b8ea207b01ec498c65eb7874a9115516ef12def7e791"


@dataclass
class GatewaySettings:
    """How it answers: its delay, which requests are throttled, whether it echoes what it was sent,
    refusing whatever it is asked for.

    Under `control/` it has no more of a control API than this status and this body.
    """

    url: str = ""
    delay_s: float = 0.0
    throttles: set[int] = field(default_factory=set)
    retry_after: str = "1"
    echoes: bool = False
    refuses: bool = False
    paths: list[str] = field(default_factory=list)
    status: int = 200
    control_status: int = 200
    control_body: Any = None


@contextmanager
def minimal_gateway() -> Iterator[GatewaySettings]:
    """A gateway that answers until the end of the block."""
    settings = GatewaySettings()
    with listening(partial(_respond, settings)) as settings.url:
        yield settings


def _respond(settings: GatewaySettings, request: ReceivedRequest) -> ListenerResponse:
    settings.paths.append(request.path)
    time.sleep(settings.delay_s)
    headers = {"Content-Type": "application/json"}
    if request.path.startswith("/control/"):
        content = json.dumps(settings.control_body).encode()
        return ListenerResponse(settings.control_status, headers, content)
    is_throttled = len(settings.paths) in settings.throttles
    body = json.dumps(_body_of(settings, request, is_throttled=is_throttled)).encode()
    if is_throttled:
        return ListenerResponse(429, {**headers, "Retry-After": settings.retry_after}, body)
    return ListenerResponse(settings.status, headers, body)


def _body_of(
    settings: GatewaySettings, request: ReceivedRequest, *, is_throttled: bool
) -> dict[str, Any]:
    given = dict(parse_qsl(request.body.decode()))
    if settings.refuses:
        return {"result": {"code": REFUSED, "description": "as asked"}}
    code = THROTTLED if is_throttled else APPROVED
    body: dict[str, Any] = {"id": "8" * 32, "card": {"number": given.get("card.number")}}
    body["result"] = {"code": code, "description": "as asked"}
    if settings.echoes:
        body["seen"] = f"{given} {request.headers.get('authorization')}"
        body["redirect"] = {"url": f"{settings.url}threeDSecure/{'8' * 32}/{CAPABILITY}"}
    return body
