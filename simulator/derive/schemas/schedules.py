"""JSON Schema and examples of schedules as answers show them. Choice: D-160."""

from collections.abc import Mapping
from typing import Any

from simulator.catalogue.fields.reporting import JOBS
from simulator.catalogue.payment_types import SPECIFIED_PAYMENT_TYPES
from simulator.derive.schemas.examples import ENTITY, payment_example
from simulator.derive.schemas.responses import (
    payment_id_schema,
    payment_schema,
    registration_id_schema,
    result_schema,
)
from simulator.grammar.choices import Choices

OF_A_PAYMENT = (
    "paymentBrand", "descriptor", "card", "resultDetails", "redirect", "virtualAccount",
)  # fmt: skip
TEXT = {"type": "string"}
INSTANT = {"type": "string", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}\+0000$"}
JOB: Mapping[str, str] = {"dayOfMonth": "05", "hour": "07"}


def schedule_schema(choices: Choices) -> dict[str, Any]:
    """A schedule: what it charges, its job, and how its plan stands."""
    schema = payment_schema(choices)
    shown = schema["properties"]
    for name in OF_A_PAYMENT:
        shown.pop(name, None)
    shown |= {
        "id": schedule_id_schema(choices),
        "registrationId": registration_id_schema(choices),
        "paymentType": {"enum": ["SD", "RS", "DS"]},
        "plan": _plan_schema(choices),
        "job": {
            "type": "object",
            "properties": {row.name.removeprefix("job."): TEXT for row in JOBS.rows},
            "additionalProperties": False,
        },
        "source": {"const": "SCHEDULER"},
        "referencedId": payment_id_schema(choices)
        | {"description": "The schedule it replaced, or that was ended."},
    }
    required = [
        "id", "registrationId", "paymentType", "amount", "currency", "result", "plan", "job",
        "source", "buildNumber", "timestamp", "ndc",
    ]  # fmt: skip
    return {**schema, "required": required, "description": "A schedule and how its plan stands."}


def schedules_schema(choices: Choices) -> dict[str, Any]:
    """The schedules of a registration."""
    schema = result_schema(choices)
    del schema["properties"]["result"]["properties"]["parameterErrors"]
    entry = schedule_schema(choices)
    closing = ("buildNumber", "timestamp", "ndc")
    for name in closing:
        del entry["properties"][name]
    entry["required"] = [name for name in entry["required"] if name not in closing]
    schema["properties"]["schedules"] = {"type": "array", "items": entry}
    required = ["schedules", *schema["required"]]
    return {**schema, "required": required, "description": "The schedules of a registration."}


def schedule_id_schema(choices: Choices) -> dict[str, Any]:
    """The id of a schedule: made like that of a payment."""
    return payment_id_schema(choices) | {"description": "The id of a schedule."}


def schedule_example(choices: Choices) -> dict[str, Any]:
    """The answer to a new schedule."""
    payment = payment_example(choices)
    closing = {name: payment[name] for name in ("buildNumber", "timestamp", "ndc")}
    return {
        "id": payment["id"],
        "registrationId": ENTITY,
        "paymentType": "SD",
        "amount": payment["amount"],
        "currency": payment["currency"],
        "result": payment["result"],
        "plan": {
            "active": True,
            "paymentType": "DB",
            "executions": 0,
            "nextExecution": "2026-12-05 07:00:00+0000",
        },
        "job": dict(JOB),
        "source": "SCHEDULER",
        **closing,
    }


def schedules_example(choices: Choices) -> dict[str, Any]:
    """The answer to a list of one schedule."""
    whole = schedule_example(choices)
    closing = {name: whole.pop(name) for name in ("buildNumber", "timestamp", "ndc")}
    return {"result": whole["result"], "schedules": [whole], **closing}


def _plan_schema(choices: Choices) -> dict[str, Any]:
    result = {
        "type": "object",
        "properties": {"code": TEXT, "description": TEXT},
        "required": ["code", "description"],
        "additionalProperties": False,
    }
    last = {
        "type": "object",
        "properties": {"id": payment_id_schema(choices), "timestamp": INSTANT, "result": result},
        "required": ["timestamp", "result"],
        "additionalProperties": False,
        "description": "Its newest execution; the id is that of the payment, if one was made.",
    }
    return {
        "type": "object",
        "properties": {
            "active": {"type": "boolean"},
            "paymentType": {"enum": list(SPECIFIED_PAYMENT_TYPES)},
            "executions": {"type": "integer", "minimum": 0},
            "nextExecution": INSTANT,
            "endsAt": INSTANT | {"description": "When its notice ends; it is active until then."},
            "lastExecution": last,
        },
        "required": ["active", "paymentType", "executions"],
        "additionalProperties": False,
        "description": "How it stands.",
    }
