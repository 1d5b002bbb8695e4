"""Who may refer to whom. The specification shows no list: it is the workflow of public sources.

Source: Endpoints, note 2. Choices: D-14 (RV of a DB), D-29 (RV), D-30 (RC and RB).
"""

from collections.abc import Mapping

from simulator.grammar.references import REPEAT, TAKE, VOID, Reference

# fmt: off
ROWS = (
    #         type  may refer to                      effect  amount  unsuitable     unknown        used up
    Reference("CP", ("PA",),                          TAKE,   True,   "700.400.510", "700.400.510", "700.400.100",
              "captures what was authorised, wholly or in parts"),
    Reference("RF", ("DB", "CP", "CD", "RC", "RB"),   TAKE,   True,   "700.400.520", "600.200.500", "700.400.200",
              "gives money back, wholly or in parts"),
    Reference("RV", ("PA",),                          VOID,   False,  "700.400.530", "700.400.530", "700.400.300",
              "voids the whole amount", choice="reverse_debit", also=("DB",)),
    Reference("RB", ("DB",),                          REPEAT, True,   "700.100.700", "700.100.100", "700.300.300",
              "charges again on the account of a debit"),
    Reference("RC", ("PA",),                          TAKE,   True,   "700.400.560", "700.400.560", "700.400.100",
              "books money that came in for an authorisation"),
)
# fmt: on

REFERENCES: Mapping[str, Reference] = {row.type: row for row in ROWS}
