"""Who may refer to whom. The specification shows no list: it is the workflow of public sources.

Source: Endpoints, note 2. Choices: D-14 (RV of a DB), D-29 (RV), D-30 (RC and RB),
D-147 (CB and CR).
"""

from collections.abc import Mapping

from simulator.grammar.references import DISPUTE, REPEAT, RESTORE, TAKE, VOID, Reference

# fmt: off
ROWS = (
    #         type  may refer to                              effect   amount needed
    Reference("CP", ("PA",),                                  TAKE,    True,
              "captures what was authorised, wholly or in parts",
              unsuitable="700.400.510", unknown="700.400.510", used_up="700.400.100"),
    Reference("RF", ("DB", "CP", "CD", "RC", "RB", "PA.CP"),  TAKE,    True,
              "gives money back, wholly or in parts",
              unsuitable="700.400.520", unknown="600.200.500", used_up="700.400.200"),
    Reference("RV", ("PA",),                                  VOID,    False,
              "voids the whole amount",
              unsuitable="700.400.530", unknown="700.400.530", used_up="700.400.300",
              choice="reverse_debit", also=("DB",), too_late=("DB", "CP", "RB"),
              cut_off="700.300.700"),
    Reference("RB", ("DB",),                                  REPEAT,  True,
              "charges again on the account of a debit",
              unsuitable="700.100.700", unknown="700.100.100", used_up="700.300.300"),
    Reference("RC", ("PA",),                                  TAKE,    True,
              "books money that came in for an authorisation",
              unsuitable="700.400.560", unknown="700.400.560", used_up="700.400.100"),
    Reference("CB", ("DB", "CP", "RF", "RB", "PA.CP", "CR"),  DISPUTE, False,
              "charges back what was paid, wholly or in part, once",
              unsuitable="700.400.550", unknown="700.400.550", used_up="700.400.400",
              booked=True, again="700.300.500", platform_only="700.400.402"),
    Reference("CR", ("CB",),                                  RESTORE, False,
              "takes a chargeback back, wholly or in part, once",
              unsuitable="700.400.420", unknown="700.400.420", used_up="700.400.410",
              booked=True, at_end="700.400.411", platform_only="700.400.402"),
)
# fmt: on

REFERENCES: Mapping[str, Reference] = {row.type: row for row in ROWS}
