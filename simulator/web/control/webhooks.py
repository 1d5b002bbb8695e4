"""/_sandbox/v1/sandboxes/{id}/webhooks and .../notices: who is told, and what they were told."""

import re
from itertools import islice
from typing import Any

import msgspec
from falcon import Request, Response

from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.ports import Ports
from simulator.domain.webhooks.records import Delivery, Endpoint, Notice, Reply
from simulator.service.webhooks import endpoints as using
from simulator.service.webhooks import events as telling
from simulator.service.webhooks.test_events import trigger
from simulator.web.control.access import ONE_SANDBOX, ControlAccess, read_document
from simulator.web.http.answers import send
from simulator.web.http.route import Route

ENDPOINT = f"{ONE_SANDBOX}/webhooks/{{endpoint}}"
NOTICES = f"{ONE_SANDBOX}/notices"
LISTED, LISTED_MAX = 50, 500
NUMBER = re.compile("[0-9]{1,3}")
FLAGS = {"true": True, "false": False}


class AskedRotation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another secret for an endpoint; without one it is made up."""

    secret: str | None = None


class AskedTrigger(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An event to tell of, and the payment it is about."""

    event: str
    payment: str


class EndpointsResource:
    """The endpoints of a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Make one, and call it."""
        ports = self._access.ports(req, identity)
        made, secret, reply = using.create_endpoint(ports, read_document(req, using.AskedEndpoint))
        send(resp, 201, {**shown(made), "secret": secret, "activation": answered(reply)})

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """List them."""
        ports = self._access.ports(req, identity)
        send(resp, 200, {"webhooks": [shown(each) for each in using.endpoints_in(ports)]})


class EndpointResource:
    """One of them."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str, endpoint: str) -> None:
        """Read it."""
        send(resp, 200, shown(using.endpoint_with(self._access.ports(req, identity), endpoint)))

    def on_patch(self, req: Request, resp: Response, identity: str, endpoint: str) -> None:
        """Change it."""
        ports = self._access.ports(req, identity)
        asked = read_document(req, using.AskedChange)
        changed, reply = using.change_endpoint(ports, endpoint, asked)
        send(resp, 200, {**shown(changed), "activation": answered(reply)})

    def on_delete(self, req: Request, resp: Response, identity: str, endpoint: str) -> None:
        """Remove it with what was still to be delivered to it."""
        using.remove_endpoint(self._access.ports(req, identity), endpoint)
        send(resp, 200, {"id": endpoint, "deleted": True})

    def on_post_activate(self, req: Request, resp: Response, identity: str, endpoint: str) -> None:
        """Call it with a test event; it is active once it answers 2xx."""
        made, reply = using.activate_endpoint(self._access.ports(req, identity), endpoint)
        send(resp, 200, {**shown(made), "activation": answered(reply)})

    def on_post_rotate(self, req: Request, resp: Response, identity: str, endpoint: str) -> None:
        """Give it another secret, which waits until the rotation is finished."""
        ports = self._access.ports(req, identity)
        asked = read_document(req, AskedRotation)
        rotated, secret = using.rotate_secret(ports, endpoint, asked.secret)
        send(resp, 200, {**shown(rotated), "next_secret": secret})

    def on_post_finish(self, req: Request, resp: Response, identity: str, endpoint: str) -> None:
        """Use the secret that waits, and forget the old one."""
        send(resp, 200, shown(using.finish_rotation(self._access.ports(req, identity), endpoint)))


class NoticesResource:
    """What was told in a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """List it, newest first: all of it, what failed so far, or what is about one payment."""
        ports = self._access.ports(req, identity)
        failed, payment = _flag(req, "failed"), req.get_param("payment")
        found = telling.notices_in(ports, failed=failed, payment=payment)
        listed = [told(ports, each) for each in islice(found, _limit(req))]
        send(resp, 200, {"notices": listed})

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Tell of an event that has not just happened."""
        ports = self._access.ports(req, identity)
        asked = read_document(req, AskedTrigger)
        send(resp, 201, told(ports, trigger(ports, asked.event, asked.payment)))

    def on_get_one(self, req: Request, resp: Response, identity: str, notice: str) -> None:
        """Read one with its payload."""
        ports = self._access.ports(req, identity)
        found = telling.notice_with(ports, notice)
        send(resp, 200, {**told(ports, found), "payload": found.payload})

    def on_post_resend(self, req: Request, resp: Response, identity: str, notice: str) -> None:
        """Deliver one again, now, under the same identity."""
        ports = self._access.ports(req, identity)
        send(resp, 200, told(ports, telling.resend(ports, notice)))


def shown(endpoint: Endpoint) -> dict[str, Any]:
    """An endpoint as a document: everything but its secrets."""
    return {
        "id": endpoint.id,
        "entity": endpoint.entity,
        "url": endpoint.url,
        "types": endpoint.types,
        "fields": endpoint.fields,
        "format": endpoint.format,
        "active": endpoint.active,
        "rotating": endpoint.next_secret is not None,
        "created_at": endpoint.created_at,
    }


def answered(reply: Reply) -> dict[str, Any]:
    """How an activation call ended."""
    return {"status": reply.status, "error": reply.error}


def told(ports: Ports, notice: Notice) -> dict[str, Any]:
    """A notice as a document, with where it went and how far it came."""
    return {
        "id": notice.id,
        "type": notice.type,
        "action": notice.action,
        "payment": notice.payment,
        "created_at": notice.created_at,
        "deliveries": [_delivery(each) for each in telling.deliveries_of(ports, notice.id)],
    }


def _delivery(delivery: Delivery) -> dict[str, Any]:
    return {
        "webhook": delivery.endpoint,
        "url": delivery.url or None,
        "state": delivery.state,
        "attempts": delivery.attempts,
        "due": delivery.due,
        "status": delivery.status,
        "error": delivery.error,
    }


def _flag(req: Request, name: str) -> bool:
    text = req.get_param(name, default="false")
    if text not in FLAGS:
        raise InvalidInputError(name, "true or false", text[:40])
    return FLAGS[text]


def _limit(req: Request) -> int:
    text = req.get_param("limit", default=str(LISTED))
    if not NUMBER.fullmatch(text) or not 1 <= int(text) <= LISTED_MAX:
        raise InvalidInputError("limit", f"a number from 1 to {LISTED_MAX}", text[:40])
    return int(text)


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    one, notices = EndpointResource(access), NoticesResource(access)
    return (
        Route(f"{ONE_SANDBOX}/webhooks", EndpointsResource(access)),
        Route(ENDPOINT, one),
        Route(f"{ENDPOINT}/activate", one, "activate"),
        Route(f"{ENDPOINT}/rotate", one, "rotate"),
        Route(f"{ENDPOINT}/rotate/finish", one, "finish"),
        Route(NOTICES, notices),
        Route(f"{NOTICES}/{{notice}}", notices, "one"),
        Route(f"{NOTICES}/{{notice}}/resend", notices, "resend"),
    )
