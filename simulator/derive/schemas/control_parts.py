"""The small schemas that those of the control API are made of."""

from collections.abc import Mapping
from typing import Any

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
MONEY = {"type": "string", "pattern": r"^[0-9]+\.[0-9]{2}$(?!\n)"}
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
QUERY: Mapping[str, dict[str, Any]] = {
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
CHANNEL_SETTINGS: Mapping[str, dict[str, Any]] = {
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
    "agreements": {
        "description": "Which initialTransactionId a payment of the merchant alone may have.",
        "type": "string",
        "enum": ["known", "any", "required"],
    },
    "risk": {"description": "The checks of its risk system, by name.", **TEXTS},
    "screening": {"description": "Those of the third-party screening service.", **TEXTS},
    "three_d_secure": {
        "description": "The version each card brand is enrolled for.",
        "type": "object",
        "additionalProperties": {"type": "string", "enum": ["1.0.2", "2.1.0", "2.2.0", "2.3.1"]},
    },
    "bank_account": {
        "description": "The account shoppers pay to. None: one is generated.",
        "type": ["object", "null"],
        "required": ["holder", "number"],
        "additionalProperties": False,
        "properties": {
            "holder": {"type": "string", "minLength": 4, "maxLength": 128},
            "number": {"type": "string", "minLength": 3, "maxLength": 64},
            "bic": {"type": ["string", "null"]},
            "country": {"type": ["string", "null"]},
        },
    },
    "chargebacks": {"description": "The merchant may report chargebacks.", **FLAG},
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
CRITERIA: Mapping[str, dict[str, Any]] = {
    "countries": {"description": "Of the shopper, such as DE.", **TEXTS},
    "currencies": TEXTS,
    "brands": TEXTS,
    "recurring": {"enum": ["none", "initial", "repeated", None]},
    "amount_min": AMOUNT,
    "amount_max": AMOUNT,
}
