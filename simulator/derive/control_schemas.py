"""JSON Schema of the documents of the control API, those it takes and those it answers.

The records they become stand on a higher floor; tests compare their members.
"""

from collections.abc import Mapping

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
FLAG = {"type": "boolean"}
COUNT = {"type": "integer", "minimum": 0}
INSTANT = {"type": "string", "format": "date-time"}
ANYTHING = {"type": "object"}
ID = {"type": "string", "pattern": r"^[0-9a-f]{32}$(?!\n)"}
CODE = {"type": "string", "pattern": r"^[0-9]{3}\.[0-9]{3}\.[0-9]{3}$(?!\n)"}
PROFILE = {"type": "string", "enum": ["specification", "field"]}
MODE = {"type": "string", "enum": ["real", "frozen", "offset", "scaled"]}
OVERRIDES = {
    "description": "Single decisions switched: an id such as D-14, and a profile or a value.",
    "type": "object",
    "additionalProperties": TEXT,
}
TIMES = {
    "description": "How often it answers; without it: always.",
    "type": "integer",
    "minimum": 1,
}
SPAN = {"description": "Such as 90s, 2h30m, 1d or PT30M.", **TEXT}
AT = {"description": "ISO 8601, UTC where it names no zone.", **TEXT}
TABLE = {
    "description": "The name of a table, the table itself, or null for the one it has otherwise.",
    "anyOf": [TEXT, {"$ref": "#/components/schemas/ThrottleTable"}, {"type": "null"}],
}
THROTTLE_SETTINGS = {"throttle": TABLE, "live_throttle": TABLE}
NUMBER = {"type": "integer", "minimum": 0, "maximum": 999_999_999_999_999}
QUERY: Mapping[str, dict] = {
    "ndc": TEXT,
    "payment": TEXT,
    "path": {"description": "What a path begins with.", **TEXT},
    "code": {"description": "What a result code begins with.", **TEXT},
    "since": {"description": "World time.", **AT},
    "until": {"description": "World time, not included.", **AT},
    "limit": {"type": "integer", "minimum": 1, "maximum": 500, "default": 50},
    "before": {"description": "`next` of the page before.", **NUMBER},
    "after": {"description": "`newest` of an earlier page.", **NUMBER},
    "failed": {"description": "What was attempted and not delivered.", "enum": ["true", "false"]},
    "count": {"description": "How many are waited for.", **COUNT, "maximum": 500},
    "wait": {"description": "How long, at most 60s.", **TEXT},
    "follow": {"description": "How long to wait for something new, at most 60s.", **TEXT},
}
CHANNEL_SETTINGS: Mapping[str, dict] = {
    "name": TEXT,
    "clearing_institute": TEXT,
    "brands": {"description": "None: every card brand.", **TEXTS},
    "currencies": {"description": "None: every currency.", **TEXTS},
    "brand_detection": FLAG,
    "cvv": {"type": "string", "enum": ["optional", "required"]},
    "descriptor_use": {"type": "string", "enum": ["dynamic", "fixed"]},
    "default_behaviour": {"description": "What answers when nothing else steers.", **TEXT},
    "amount_behaviours": FLAG,
    "requires_merchant_transaction_id": FLAG,
    "three_d_secure": {
        "description": "The version each card brand is enrolled for.",
        "type": "object",
        "additionalProperties": {"type": "string", "enum": ["1.0.2", "2.1.0", "2.2.0", "2.3.1"]},
    },
}
NAME = {"type": "string", "minLength": 1, "maxLength": 255}
HOST = {"type": "string", "enum": ["test", "live"]}
SEED = {
    "description": "What shows in answers follows it, ids and tokens never do.",
    "type": "integer",
    "minimum": 0,
    "maximum": 2**53,
}
PASSPHRASE_SCHEMA = {
    "description": "With one, the snapshot opens in any installation.",
    "type": "string",
    "minLength": 8,
}
AMOUNT = {"description": "Such as 50.00.", "type": ["string", "number", "null"]}
# What a rule of dispatching looks at; what it does not name may be anything.
CRITERIA: Mapping[str, dict] = {
    "countries": {"description": "Of the shopper, such as DE.", **TEXTS},
    "currencies": TEXTS,
    "brands": TEXTS,
    "recurring": {"enum": ["none", "initial", "repeated", None]},
    "amount_min": AMOUNT,
    "amount_max": AMOUNT,
}


def control_schemas() -> dict:
    """Every schema by its name."""
    return {
        **_asked(),
        **_sandboxes(),
        **_entities(),
        **_scripts(),
        **_webhooks(),
        **_clocks(),
        **_throttles(),
        **_journal(),
        "Refusal": _refusal(),
    }


def schema_ref(name: str) -> dict:
    """The reference to one of them."""
    return {"$ref": f"#/components/schemas/{name}"}


def _asked() -> dict:
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


def _sandboxes() -> dict:
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


def _entities() -> dict:
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


def _scripts() -> dict:
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


def _webhooks() -> dict:
    secret = {"type": "string", "pattern": r"^[0-9a-fA-F]{64}$(?!\n)"}
    kinds = {"type": "string", "enum": ["PAYMENT", "REGISTRATION"]}
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
        "ToldNotice": _object({**notice, "payload": ANYTHING}),
        "NoticeList": _object({"notices": _list(schema_ref("Notice"))}),
        "Inbox": _object({"url": TEXT, "count": COUNT, "arrived": _list(_object(arrival))}),
        "Emptied": _object({"deleted": COUNT}),
        "Taken": _object({"taken": {"const": True}}),
    }


def _clocks() -> dict:
    due = {"description": "When something is due next.", **INSTANT, "type": ["string", "null"]}
    clock = {"mode": MODE, "now": INSTANT, "rate": {"type": "number"}, "next": due}
    awaited = _object({"id": ID, "due": {**INSTANT, "type": ["string", "null"]}, "code": TEXT})
    return {
        "Clock": _object(clock),
        "PendingList": _object({"pending": _list(awaited)}),
        "Released": _object({"id": ID, "state": TEXT, "code": TEXT}),
        "Drained": _object({"drained": FLAG}),
    }


def _throttles() -> dict:
    table = schema_ref("ThrottleTable")
    whole = {"type": "integer", "minimum": 0, "maximum": 1_000_000_000}
    window = {"type": "integer", "minimum": 1, "maximum": 86_400}
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


def _journal() -> dict:
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


def _refusal() -> dict:
    result = _object({"code": TEXT, "description": TEXT})
    error = _object({"where": TEXT, "expected": TEXT, "got": TEXT})
    envelope = {"result": result, "buildNumber": TEXT, "timestamp": TEXT, "ndc": TEXT}
    return _object({**envelope, "error": error}, " ".join(envelope))


def _list(items: dict, *, least: int = 0) -> dict:
    return {"type": "array", "items": items, **({"minItems": least} if least else {})}


def _object(properties: Mapping[str, object], required: str | None = None) -> dict:
    """A closed object; every member is required, unless those that are stand in `required`."""
    names = list(properties) if required is None else required.split()
    closed = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return {**closed, "required": names} if names else closed
