"""The schemas of query parameters and headers of the control API."""

from collections.abc import Mapping
from typing import Any

TEXT = {"type": "string"}
SPAN = {"description": "Such as 90s, 2h30m, 1d or PT30M; at most 60s.", **TEXT}
INSTANT = {"description": "Sandbox time, ISO 8601, UTC where it names no zone.", **TEXT}
COUNT = {"type": "integer", "minimum": 0}
NUMBER = {**COUNT, "maximum": 999_999_999_999_999}
QUERY: Mapping[str, dict[str, Any]] = {
    "ndc": TEXT,
    "payment": TEXT,
    "path": {"description": "What a path begins with.", **TEXT},
    "code": {"description": "What a result code begins with.", **TEXT},
    "since": INSTANT,
    "until": {**INSTANT, "description": f"{INSTANT['description']} Not included."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 500, "default": 50},
    "number": {"description": "Which of the exchanges that share the ndc.", **NUMBER},
    "before": {"description": "`next` of the page before.", **NUMBER},
    "after": {"description": "`newest` of an earlier page.", **NUMBER},
    "failed": {"description": "Events with a delivery that failed.", "enum": ["true", "false"]},
    "count": {"description": "How many to wait for.", **COUNT, "maximum": 500},
    "wait": {**SPAN, "description": f"How long to wait. {SPAN['description']}"},
    "follow": {**SPAN, "description": f"How long to wait for an entry. {SPAN['description']}"},
}
PASSPHRASE_SCHEMA = {
    "description": "With one, the snapshot opens in any installation.",
    "type": "string",
    "minLength": 8,
}
