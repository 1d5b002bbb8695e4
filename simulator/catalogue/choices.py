"""Every decision that has a switch, by number: what an override may name."""

from simulator.catalogue.decisions import DECISIONS
from simulator.grammar.choices import Choice
from simulator.grammar.decisions import Decision, Switch, number_of


def _choice(row: Decision, switch: Switch) -> Choice:
    return Choice(
        id=row.id,
        name=switch.name,
        specification=switch.specification,
        field=switch.field,
        title=switch.about,
        others=switch.others,
    )


CHOICES = tuple(
    _choice(row, row.switch)
    for row in sorted(DECISIONS.values(), key=lambda row: number_of(row.id))
    if row.switch is not None
)
