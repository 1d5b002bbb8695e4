"""The shapes of values in documents of the control API: what their JSON Schema says of them.

They describe and check nothing: what a value must be is checked where it is read, with an error
that names its place.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any

from msgspec import Meta

END = r"$(?!\n)"


def shape(description: str = "", **schema: object) -> Meta:
    """An annotation with a description and further members of the schema."""
    return Meta(description=description or None, extra_json_schema=dict(schema) or None)


Id = Annotated[str, shape(pattern=f"^[0-9a-f]{{32}}{END}")]
Code = Annotated[str, shape(pattern=rf"^[0-9]{{3}}\.[0-9]{{3}}\.[0-9]{{3}}{END}")]
Secret = Annotated[str, shape(pattern=f"^[0-9a-fA-F]{{64}}{END}")]
Count = Annotated[int, shape(minimum=0)]
Amount = Annotated[Decimal, shape(type="string", pattern=rf"^[0-9]+\.[0-9]{{2}}{END}")]
AmountBound = Annotated[Decimal, shape("Such as 50.00.", type=["string", "number"])]
Span = Annotated[str, shape("Such as 90s, 2h30m, 1d or PT30M.")]
At = Annotated[str, shape("ISO 8601, UTC where it names no zone.")]
Profile = Annotated[str, shape(enum=["specification", "field"])]
Overrides = Annotated[
    Mapping[str, str],
    shape("Single decisions switched: an id such as D-14, and a profile or a value."),
]
Seed = Annotated[int, shape("Values in answers follow it, ids and tokens never do.")]
Anything = Annotated[Mapping[str, Any], shape(type="object")]
Table = Annotated[
    object,
    shape(
        "The name of a table, the table itself, or null for the default one.",
        anyOf=[
            {"type": "string"},
            {"$ref": "#/components/schemas/ThrottleTable"},
            {"type": "null"},
        ],
    ),
]
