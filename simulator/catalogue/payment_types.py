"""What payment types may do. The specification shows no such list.

Source: Basic payment, paymentType. Choices: D-43 (amounts of nothing), D-146 (3-D Secure).
"""

from collections.abc import Mapping

from simulator.grammar.payment_types import TypeRow

# fmt: off
ROWS = (
    TypeRow("PA",    of_nothing=True, secured=True),
    TypeRow("DB",    secured=True),
    TypeRow("CD"),
    TypeRow("PA.CP", secured=True),
    TypeRow("RG",    of_nothing=True),
    TypeRow("CP"),
    TypeRow("RF"),
    TypeRow("RV"),
    TypeRow("RB"),
    TypeRow("RC"),
    TypeRow("CB"),
    TypeRow("CR"),
    TypeRow("RI"),
    TypeRow("3D",    of_nothing=True, secured=True),
)
# fmt: on

PAYMENT_TYPES: Mapping[str, TypeRow] = {row.type: row for row in ROWS}
