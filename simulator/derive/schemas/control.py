"""JSON Schema of the documents of the control API, those it takes and those it answers.

The records they become stand on a higher floor; tests compare their members.
"""

from collections.abc import Mapping
from typing import Any

from simulator.catalogue.events import EVENT_TYPES
from simulator.catalogue.throttles import WINDOWS_S
from simulator.derive.schemas.control_parts import (
    ANYTHING,
    AT,
    CHANNEL_SETTINGS,
    CODE,
    COUNT,
    CRITERIA,
    FLAG,
    HOST,
    ID,
    INSTANT,
    MODE,
    MONEY,
    NAME,
    OVERRIDES,
    PROFILE,
    SEED,
    SPAN,
    TEXT,
    TEXTS,
    THROTTLE_SETTINGS,
    TIMES,
)


def control_schemas() -> dict[str, Any]:
    """Every schema by its name."""
    return {
        **_asked(),
        **_sandboxes(),
        **_entities(),
        **_scripts(),
        **_wallets(),
        **_checkouts(),
        **_webhooks(),
        **_clocks(),
        **_books(),
        **_throttles(),
        **_journal(),
        "Refusal": _refusal(),
    }


def schema_ref(name: str) -> dict[str, Any]:
    """The reference to one of them."""
    return {"$ref": f"#/components/schemas/{name}"}


def _asked() -> dict[str, Any]:
    clock = _object({"mode": MODE, "at": AT, "rate": {"type": "number", "exclusiveMinimum": 0}}, "")
    sandbox = {
        "profile": PROFILE,
        "overrides": OVERRIDES,
        **THROTTLE_SETTINGS,
        "clock": clock,
        "seed": {**SEED, "type": ["integer", "null"]},
        "merchants": _list(schema_ref("AskedMerchant"), least=1),
    }
    behaviour = {"description": "Its name, or the behaviour itself.", "type": ["string", "object"]}
    match = {"description": "Whom it is for; every criterion must fit.", **ANYTHING}
    moves = {"by": SPAN, "to": AT, "until": {"const": "next"}}
    outcome = {"type": "string", "enum": ["success", "failure", "expiry"]}
    return {
        "AskedSandbox": {"description": "What is left out gets a default.", **_object(sandbox, "")},
        "AskedScript": _object(
            {"behaviour": behaviour, "match": match, "times": TIMES}, "behaviour"
        ),
        "AskedClock": {"description": "It never goes backwards.", **clock},
        "AskedAdvance": {**_object(moves, ""), "minProperties": 1, "maxProperties": 1},
        "AskedRelease": _object({"outcome": outcome, "code": CODE}, ""),
        "AskedDrain": _object({"timeout": SPAN}, ""),
    }


def _sandboxes() -> dict[str, Any]:
    merchants = _list(schema_ref("MerchantCredentials"))
    entities = _object({"psp": ID, "division": ID, "merchants": merchants})
    sandbox = {
        "id": ID,
        "epoch": {"description": "One more after each reset.", "type": "integer", "minimum": 1},
        "created_at": INSTANT,
        "profile": PROFILE,
        "overrides": OVERRIDES,
        "seed": {**SEED, "type": ["integer", "null"]},
        "psp": ID,
        "division": ID,
        "merchants": _list(schema_ref("Merchant")),
    }
    given = {
        "id": ID,
        "token": TEXT,
        "live_token": TEXT,
        "entity_id": ID,
        "control_key": TEXT,
        "entities": entities,
    }
    return {
        "Sandbox": _object(sandbox),
        "SandboxList": _object({"sandboxes": _list(schema_ref("Sandbox"))}),
        "Credentials": {
            "description": "Token and entity are those of the first channel.",
            **_object(given),
        },
        "Deleted": _object({"id": TEXT, "deleted": {"const": True}}),
        "Snapshot": {"description": "A snapshot: header, sandbox and log.", "type": "string"},
    }


def _entities() -> dict[str, Any]:
    rule = {"channel": TEXT, **CRITERIA}
    channel = {"id": ID, "merchant_account": ID, **CHANNEL_SETTINGS}
    asked = _object(CHANNEL_SETTINGS, "")
    rules = _list(schema_ref("DispatchRule"))
    merchant = {
        "id": ID,
        "name": TEXT,
        "channels": _list(schema_ref("Channel")),
        "dispatching": rules,
    }
    token = {
        "id": ID,
        "alias": TEXT,
        "host": HOST,
        "state": {"type": "string", "enum": ["active", "suspended"]},
        "last_digits": TEXT,
        "created_at": INSTANT,
    }
    settings = {"name": NAME, "channels": _list(asked, least=1), "dispatching": rules}
    changes = {"name": {**NAME, "type": ["string", "null"]}, "dispatching": rules}
    return {
        "Channel": _object(channel, "id name merchant_account"),
        "DispatchRule": _object(rule, "channel"),
        "Merchant": _object(merchant),
        "MerchantList": _object({"merchants": _list(schema_ref("Merchant"))}),
        "MerchantCredentials": _object({**merchant, "token": TEXT, "live_token": TEXT}),
        "Token": _object(token),
        "TokenList": _object({"tokens": _list(schema_ref("Token"))}),
        "IssuedToken": _object({**token, "token": TEXT}),
        "AskedChannel": asked,
        "AskedMerchant": _object(settings, ""),
        "AskedMerchantChange": _object(changes, ""),
        "AskedToken": _object({"alias": {**TEXT, "maxLength": 64}, "host": HOST}, ""),
    }


def _scripts() -> dict[str, Any]:
    script = {
        "id": ID,
        "behaviour": ANYTHING,
        "match": ANYTHING,
        "times": {**TIMES, "type": ["integer", "null"]},
        "matched": COUNT,
        "asked": COUNT,
        "near_misses": TEXTS,
        "state": {"type": "string", "enum": ["never matched", "matched", "used up"]},
    }
    scripts = {"scripts": _list(schema_ref("Script"))}
    return {"Script": _object(script), "ScriptList": _object(scripts)}


def _checkouts() -> dict[str, Any]:
    capability = {"type": "string", "pattern": r"^[0-9a-f]{48}$(?!\n)"}
    return {"Capability": _object({"id": TEXT, "capability": capability})}


def _webhooks() -> dict[str, Any]:
    secret = {"type": "string", "pattern": r"^[0-9a-fA-F]{64}$(?!\n)"}
    kinds = {"type": "string", "enum": [*EVENT_TYPES]}
    settings = {
        "url": {"description": "Where to post; inbox is the sandbox's own.", **TEXT},
        "entity": ID,
        "types": _list(kinds, least=1),
        "fields": {"type": "string", "enum": ["ALL", "NON_CUSTOMER_DATA"]},
        "format": {"type": "string", "enum": ["json", "hex", "wrapped"]},
    }
    skip = {"skip_activation": FLAG}
    status = {"type": ["integer", "null"]}
    webhook = {"id": ID, **settings, "active": FLAG, "rotating": FLAG, "created_at": INSTANT}
    called = {**webhook, "activation": _object({"status": status, "error": TEXT})}
    optional = {"type": ["string", "null"]}
    delivery = {
        "webhook": optional,
        "url": optional,
        "state": {"type": "string", "enum": ["under way", "waiting", "delivered", "given up"]},
        "attempts": COUNT,
        "due": {**INSTANT, "type": ["string", "null"]},
        "status": status,
        "error": TEXT,
    }
    notice = {
        "id": ID,
        "type": TEXT,
        "action": optional,
        "payment": optional,
        "created_at": INSTANT,
        "deliveries": _list(_object(delivery)),
    }
    arrival = {
        "id": ID,
        "at": INSTANT,
        **dict.fromkeys(("event_id", "attempt", "type", "action"), optional),
        "payload": {"type": ["object", "null"]},
        "error": TEXT,
        "headers": {"type": "object", "additionalProperties": TEXT},
        "body": TEXT,
    }
    return {
        "AskedWebhook": _object({**settings, "secret": secret, **skip}, "url"),
        "AskedWebhookChange": _object({**settings, "active": FLAG, **skip}, ""),
        "AskedRotation": _object({"secret": secret}, ""),
        "AskedTrigger": _object({"event": TEXT, "payment": TEXT}),
        "Webhook": _object(webhook),
        "CalledWebhook": _object(called),
        "NewWebhook": _object({**called, "secret": secret}),
        "RotatedWebhook": _object({**webhook, "next_secret": secret}),
        "WebhookList": _object({"webhooks": _list(schema_ref("Webhook"))}),
        "Notice": _object(notice),
        "NoticeWithPayload": _object({**notice, "payload": ANYTHING}),
        "NoticeList": _object({"notices": _list(schema_ref("Notice"))}),
        "Inbox": _object({"url": TEXT, "count": COUNT, "arrived": _list(_object(arrival))}),
        "Emptied": _object({"deleted": COUNT}),
        "Taken": _object({"taken": {"const": True}}),
    }


def _clocks() -> dict[str, Any]:
    due = {"description": "When something is due next.", **INSTANT, "type": ["string", "null"]}
    clock = {"mode": MODE, "now": INSTANT, "rate": {"type": "number"}, "next": due}
    awaited = _object({"id": ID, "due": {**INSTANT, "type": ["string", "null"]}, "code": TEXT})
    return {
        "Clock": _object(clock),
        "PendingList": _object({"pending": _list(awaited)}),
        "Released": _object({"id": ID, "state": TEXT, "code": TEXT}),
        "Drained": _object({"drained": FLAG}),
    }


def _throttles() -> dict[str, Any]:
    table = schema_ref("ThrottleTable")
    whole = {"type": "integer", "minimum": 1, "maximum": 1_000_000_000}
    window = {"type": "integer", "enum": list(WINDOWS_S)}
    scope = {"type": "string", "enum": ["merchant", "object"]}
    limit = _object({"operation": TEXT, "scope": scope, "limit": whole, "window_s": window})
    limits = {**_list(limit), "maxItems": 100}
    return {
        "ThrottleTable": _object(
            {"name": {**TEXT, "minLength": 1, "maxLength": 64}, "limits": limits}
        ),
        "Throttles": _object({"throttle": table, "live_throttle": table}),
        "AskedThrottles": _object(THROTTLE_SETTINGS, ""),
    }


def _journal() -> dict[str, Any]:
    """Entries are closed: what stands in one depends on its kind."""
    entries = _list(schema_ref("JournalEntry"))
    following = {"description": "`before` of the next page.", "type": ["integer", "null"]}
    names = ("kind", "method", "path", "code", "error", "decided_by", "event", "event_id", "url")
    entry = {
        **dict.fromkeys(names, TEXT),
        "number": COUNT,
        "ndc": TEXT,
        "at": {"description": "World time.", **INSTANT},
        "until": INSTANT,
        "real": {"description": "The time of the machine.", **INSTANT},
        "duration_ms": {"type": "number", "minimum": 0},
        "payments": TEXTS,
        "entity": ID,
        "request": {"type": "object", "additionalProperties": TEXT},
        "status": {"type": "integer", "minimum": 100, "maximum": 599},
        "answer": {"description": "The body of the answer, masked."},
        "rules": {"description": "What the request broke.", **TEXTS},
        "cut": FLAG,
        "messages": _list(ANYTHING),
        "near_misses": TEXTS,
        "webhooks": _list(ANYTHING),
    }
    return {
        "JournalPage": _object({"entries": entries, "newest": COUNT, "next": following}),
        "JournalEntry": _object(entry, "ndc"),
        "Text": TEXT,
    }


def _books() -> dict[str, Any]:
    amounts = {"gateway": MONEY, "host": MONEY}
    line = {"type": TEXT, "currency": TEXT, "count": COUNT, **amounts}
    card = {"description": "Masked.", **TEXT}
    difference = {"payment": TEXT, "type": TEXT, "card": card, "currency": TEXT, **amounts}
    differences = _list(_object({**difference, "why": TEXT}))
    under_way = {"description": "Payments without an end: in neither book.", **TEXTS}
    books = {"agree": FLAG, "lines": _list(_object(line)), "differences": differences}
    return {"Books": _object({**books, "under_way": under_way})}


def _wallets() -> dict[str, Any]:
    order = {
        "protocol": {"type": "string", "enum": ["EC_v1", "ECv2"]},
        "number": {"type": "string", "pattern": "^[0-9]{12,19}$"},
        "expiryMonth": {"type": "string", "pattern": "^(0[1-9]|1[0-2])$"},
        "expiryYear": {"type": "string", "pattern": "^20[0-9]{2}$"},
        "amount": {"type": "string", "pattern": r"^[0-9]{1,10}(\.[0-9]{2})?$"},
        "currency": {"description": "ISO 4217.", **TEXT},
        "cryptogram": {"description": "One is made; empty: none.", "type": ["string", "null"]},
        "eci": {"type": ["string", "null"]},
        "fault": {"enum": ["signature", "certificate", "chain", "recipient", "stale", None]},
    }
    return {
        "AskedWalletToken": _object(order, ""),
        "WalletToken": _object({"token": TEXT}),
        "Wallet": _object({"merchant": TEXT, "gateway": TEXT, "certificate": TEXT}),
    }


def _refusal() -> dict[str, Any]:
    result = _object({"code": TEXT, "description": TEXT})
    error = _object({"where": TEXT, "expected": TEXT, "got": TEXT})
    envelope = {"result": result, "buildNumber": TEXT, "timestamp": TEXT, "ndc": TEXT}
    return _object({**envelope, "error": error}, " ".join(envelope))


def _list(items: dict[str, Any], *, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, **({"minItems": least} if least else {})}


def _object(properties: Mapping[str, object], required: str | None = None) -> dict[str, Any]:
    """A closed object; every member is required, unless those that are stand in `required`."""
    names = list(properties) if required is None else required.split()
    closed = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return {**closed, "required": names} if names else closed
