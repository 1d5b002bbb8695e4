"""JSON Schema of reports, and one as it comes. Choices: D-171, D-175, D-690."""

from typing import Any

from simulator.derive.schemas.examples import payment_example, result_example
from simulator.derive.schemas.responses import payment_schema, result_schema
from simulator.grammar.choices import Choices

TEXT = {"type": "string"}
FOUND = "000.000.100"
# What a report shows beside the payment response.
BESIDE = {
    "merchantMemo": {"description": "Appears only in reports. PAY-10", **TEXT},
    "shortId": {"type": "string", "pattern": r"^[0-9]{4}(\.[0-9]{4}){2}$(?!\n)"},
    "source": {"enum": ["OPP", "OPPUI", "SYSTEM", "SCHEDULER", "MACRETRY"]},
    "paymentMethod": {"enum": ["CC", "DD", "VA", "RM"]},
}
OF_THE_ANSWER = ("buildNumber", "ndc")


def transaction_schema(choices: Choices) -> dict[str, Any]:
    """The report of one transaction."""
    schema = payment_schema(choices)
    schema["properties"] = {**schema["properties"], **BESIDE}
    return {**schema, "description": "A transaction and what only reports show."}


def report_schema(choices: Choices) -> dict[str, Any]:
    """A report of several, which counts its pages where there is more than one."""
    schema = _list_schema("payments", choices)
    schema["properties"]["pages"] = {
        "type": "integer",
        "minimum": 2,
        "description": "Only where there is more than one page; pageNo selects one. D-690",
    }
    return schema


def records_schema(choices: Choices) -> dict[str, Any]:
    """A report in pages."""
    schema = _list_schema("records", choices)
    schema["properties"]["pages"] = {"type": "integer", "minimum": 0}
    return {**schema, "required": [*schema["required"], "pages"]}


def _list_schema(name: str, choices: Choices) -> dict[str, Any]:
    each = transaction_schema(choices)
    for member in OF_THE_ANSWER:
        del each["properties"][member]
    each["required"] = [member for member in each["required"] if member not in OF_THE_ANSWER]
    schema = result_schema(choices)
    del schema["properties"]["result"]["properties"]["parameterErrors"]
    schema["properties"][name] = {"type": "array", "items": each}
    required = [*schema["required"], name]
    return {**schema, "required": required, "description": "Transactions, oldest first."}


def transaction_example(choices: Choices) -> dict[str, Any]:
    """The report of the debit among the examples."""
    shown = {"shortId": "1234.5678.9012", "source": "OPP", "paymentMethod": "CC"}
    return {**payment_example(choices), **shown}


def report_example(choices: Choices) -> dict[str, Any]:
    """A report of that debit alone."""
    return _list_example("payments", choices)


def records_example(choices: Choices) -> dict[str, Any]:
    """The only page of such a report."""
    return {**_list_example("records", choices), "pages": 1}


def _list_example(name: str, choices: Choices) -> dict[str, Any]:
    whole = transaction_example(choices)
    each = {name: whole[name] for name in whole if name not in OF_THE_ANSWER}
    return {**result_example(FOUND, choices, with_entity=True), name: [each]}
