"""JSON Schema of reports, and one as it comes. Choices: D-171, D-175."""

from typing import Any

from simulator.derive.openapi.examples import payment_example, result_example
from simulator.derive.schemas.responses import payment_schema, result_schema
from simulator.grammar.choices import Choices

TEXT = {"type": "string"}
FOUND = "000.000.100"
# What a report shows beside the payment response.
BESIDE = {
    "merchantMemo": {"description": "Appears only in reports. PAY-10", **TEXT},
    "shortId": {"type": "string", "pattern": r"^[0-9]{4}(\.[0-9]{4}){2}$(?!\n)"},
    "source": {"enum": ["OPP", "SYSTEM", "SCHEDULER", "MACRETRY"]},
    "paymentMethod": {"enum": ["CC", "DD", "VA", "RM"]},
}
OF_THE_ANSWER = ("buildNumber", "ndc")


def transaction_schema(choices: Choices) -> dict[str, Any]:
    """The report of one transaction."""
    schema = payment_schema(choices)
    schema["properties"] = {**schema["properties"], **BESIDE}
    return {**schema, "description": "A transaction and what only reports show."}


def report_schema(choices: Choices) -> dict[str, Any]:
    """A report of several; only the paged one has `pages`."""
    each = transaction_schema(choices)
    for name in OF_THE_ANSWER:
        del each["properties"][name]
    each["required"] = [name for name in each["required"] if name not in OF_THE_ANSWER]
    schema = result_schema(choices)
    del schema["properties"]["result"]["properties"]["parameterErrors"]
    schema["properties"]["payments"] = {"type": "array", "items": each}
    schema["properties"]["pages"] = {"type": "integer", "minimum": 0}
    required = [*schema["required"], "payments"]
    return {**schema, "required": required, "description": "Transactions, oldest first."}


def transaction_example(choices: Choices) -> dict[str, Any]:
    """The report of the debit among the examples."""
    shown = {"shortId": "1234.5678.9012", "source": "OPP", "paymentMethod": "CC"}
    return {**payment_example(choices), **shown}


def report_example(choices: Choices) -> dict[str, Any]:
    """A report of that debit alone."""
    whole = transaction_example(choices)
    each = {name: whole[name] for name in whole if name not in OF_THE_ANSWER}
    return {**result_example(FOUND, choices, with_entity=True), "payments": [each]}
