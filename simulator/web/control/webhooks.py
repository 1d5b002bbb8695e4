"""/_sandbox/v1/sandboxes/{id}/webhooks and .../notices: endpoints, and the events they got."""

import re
from itertools import islice

import msgspec
from falcon import Request, Response
from msgspec import UNSET, UnsetType

from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.ports.sandbox import Ports
from simulator.domain.webhooks.records import AttemptResult, Delivery, Endpoint, WebhookEvent
from simulator.service.webhooks.deliveries import (
    find_deliveries,
    find_events,
    read_event,
    replay_event,
    url_of,
)
from simulator.service.webhooks.endpoints import (
    AskedEndpoint,
    AskedEndpointChange,
    activate_endpoint,
    change_endpoint,
    create_endpoint,
    finish_rotation,
    list_endpoints,
    read_endpoint,
    remove_endpoint,
    rotate_secret,
)
from simulator.service.webhooks.triggers import trigger_event
from simulator.web.control.access import ONE_SANDBOX, ControlAccess, read_document
from simulator.web.control.documents.entities import Deleted
from simulator.web.control.documents.events import (
    Activation,
    DeliveryDocument,
    NoticeDocument,
    WebhookDocument,
    WebhookList,
)
from simulator.web.http.answers import send
from simulator.web.http.lists import send_items
from simulator.web.http.route import Route

ENDPOINT = f"{ONE_SANDBOX}/webhooks/{{endpoint}}"
NOTICES = f"{ONE_SANDBOX}/notices"
LISTED, LISTED_MAX = 50, 500
NUMBER = re.compile("[0-9]{1,3}")
FLAGS = {"true": True, "false": False}


class AskedRotation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The next secret of an endpoint; without one it is generated."""

    secret: str | None = None


class AskedTrigger(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An event to send, and the payment it is about."""

    event: str
    payment: str


class EndpointsResource:
    """The endpoints of a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Create one, and call it."""
        ports = self._access.ports(req, identity)
        created, secret, result = create_endpoint(ports, read_document(req, AskedEndpoint))
        document = render_endpoint(created, activation=result, secret=secret)
        send(resp, 201, document)

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """List them."""
        ports = self._access.ports(req, identity)
        send(resp, 200, WebhookList(tuple(map(render_endpoint, list_endpoints(ports)))))


class EndpointResource:
    """One of them."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str, endpoint: str) -> None:
        """Read it."""
        ports = self._access.ports(req, identity)
        send(resp, 200, render_endpoint(read_endpoint(ports, endpoint)))

    def on_patch(self, req: Request, resp: Response, identity: str, endpoint: str) -> None:
        """Change it."""
        ports = self._access.ports(req, identity)
        asked = read_document(req, AskedEndpointChange)
        changed, result = change_endpoint(ports, endpoint, asked)
        send(resp, 200, render_endpoint(changed, activation=result))

    def on_delete(self, req: Request, resp: Response, identity: str, endpoint: str) -> None:
        """Remove it, and give up its pending deliveries."""
        remove_endpoint(self._access.ports(req, identity), endpoint)
        send(resp, 200, Deleted(endpoint))

    def on_post_activate(self, req: Request, resp: Response, identity: str, endpoint: str) -> None:
        """Call it with a test event; it is active once it answers 2xx."""
        activated, result = activate_endpoint(self._access.ports(req, identity), endpoint)
        send(resp, 200, render_endpoint(activated, activation=result))

    def on_post_rotate(self, req: Request, resp: Response, identity: str, endpoint: str) -> None:
        """Give it a next secret, which is used once the rotation is finished."""
        ports = self._access.ports(req, identity)
        asked = read_document(req, AskedRotation)
        rotated, secret = rotate_secret(ports, endpoint, asked.secret)
        send(resp, 200, render_endpoint(rotated, next_secret=secret))

    def on_post_finish(self, req: Request, resp: Response, identity: str, endpoint: str) -> None:
        """Replace the present secret by the next one."""
        ports = self._access.ports(req, identity)
        send(resp, 200, render_endpoint(finish_rotation(ports, endpoint)))


class EventsResource:
    """The webhook events of a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """List them, newest first: all, those that failed so far, or those about one payment."""
        ports = self._access.ports(req, identity)
        failed, payment = _flag(req, "failed"), req.get_param("payment")
        found = find_events(ports, failed=failed, payment=payment)
        listed = islice(found, _limit(req))
        send_items(resp, "notices", (render_event(ports, each) for each in listed))

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Send an event on request."""
        ports = self._access.ports(req, identity)
        asked = read_document(req, AskedTrigger)
        send(resp, 201, render_event(ports, trigger_event(ports, asked.event, asked.payment)))

    def on_get_one(self, req: Request, resp: Response, identity: str, notice: str) -> None:
        """Read one with its payload."""
        ports = self._access.ports(req, identity)
        found = read_event(ports, notice)
        send(resp, 200, render_event(ports, found, payload=found.payload))

    def on_post_resend(self, req: Request, resp: Response, identity: str, notice: str) -> None:
        """Replay one now, under the same id."""
        ports = self._access.ports(req, identity)
        send(resp, 200, render_event(ports, replay_event(ports, notice)))


def render_endpoint(
    endpoint: Endpoint,
    *,
    activation: AttemptResult | None = None,
    secret: str | UnsetType = UNSET,
    next_secret: str | UnsetType = UNSET,
) -> WebhookDocument:
    """An endpoint as a document; a secret only where the call has set it."""
    return WebhookDocument(
        id=endpoint.id,
        entity=endpoint.entity,
        url=endpoint.url,
        types=endpoint.types,
        fields=endpoint.fields,
        format=endpoint.format,
        active=endpoint.active,
        rotating=endpoint.next_secret is not None,
        created_at=endpoint.created_at,
        activation=UNSET if activation is None else Activation(activation.status, activation.error),
        secret=secret,
        next_secret=next_secret,
    )


def render_event(
    ports: Ports, event: WebhookEvent, *, payload: msgspec.Raw | UnsetType = UNSET
) -> NoticeDocument:
    """An event as a document, with its deliveries."""
    return NoticeDocument(
        id=event.id,
        type=event.type,
        action=event.action,
        payment=event.payment,
        created_at=event.created_at,
        deliveries=tuple(
            _render_delivery(each, url_of(ports, each)) for each in find_deliveries(ports, event.id)
        ),
        payload=payload,
    )


def _render_delivery(delivery: Delivery, url: str | None) -> DeliveryDocument:
    return DeliveryDocument(
        webhook=delivery.endpoint,
        url=url,
        state=delivery.state,
        attempts=delivery.attempts,
        due=delivery.due,
        status=delivery.status,
        error=delivery.error,
    )


def _flag(req: Request, name: str) -> bool:
    text = req.get_param(name, default="false")
    if text not in FLAGS:
        raise InvalidInputError(name, "true or false", beginning_of(text, 40))
    return FLAGS[text]


def _limit(req: Request) -> int:
    text = req.get_param("limit", default=str(LISTED))
    if not NUMBER.fullmatch(text) or not 1 <= int(text) <= LISTED_MAX:
        raise InvalidInputError("limit", f"a number from 1 to {LISTED_MAX}", beginning_of(text, 40))
    return int(text)


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    endpoint, events = EndpointResource(access), EventsResource(access)
    return (
        Route(f"{ONE_SANDBOX}/webhooks", EndpointsResource(access)),
        Route(ENDPOINT, endpoint),
        Route(f"{ENDPOINT}/activate", endpoint, "activate"),
        Route(f"{ENDPOINT}/rotate", endpoint, "rotate"),
        Route(f"{ENDPOINT}/rotate/finish", endpoint, "finish"),
        Route(NOTICES, events),
        Route(f"{NOTICES}/{{notice}}", events, "one"),
        Route(f"{NOTICES}/{{notice}}/resend", events, "resend"),
    )
