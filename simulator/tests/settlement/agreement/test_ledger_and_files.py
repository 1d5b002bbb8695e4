"""Payments in every order: the lines of all files are what the ledger moved, to the cent, and
each file obeys the rules of its own checker.
"""

from collections import defaultdict
from decimal import Decimal

from features.reconciling.settlement_csv import read_records
from simulator.domain.core.ports import Store
from simulator.domain.payments.ledger import OF_PAYMENT, entries_between
from simulator.service.settlement.proof import sums_of
from simulator.tests.settlement.agreement.merchant import Merchant, broken_in
from simulator.tests.settlement.agreement.trees import make_over_days, shapes

# Longer trees cost minutes; they differ in disputes alone, which are tried in `test_later_states`.
LONGEST = 2


def settled(merchant: Merchant) -> dict[str, Decimal]:
    """What the files say of each payment, below zero where it is taken from the merchant."""
    found: dict[str, Decimal] = defaultdict(Decimal)
    for record in (each for file in merchant.files() for each in read_records(file)):
        if record["ReconciliationType"] != "FEE":
            sign = 1 if record["Cashflow"] == "POS" else -1
            found[record["UniqueID"]] += sign * record.amount("Amount")
    return found


def moved_in(store: Store) -> dict[str, Decimal]:
    """What the ledger moved to the merchant by each payment, below zero if from it."""
    found: dict[str, Decimal] = defaultdict(Decimal)
    for entry in entries_between(store, "", "~"):
        if entry.id.endswith(OF_PAYMENT):
            sign = (entry.credit == "merchant") - (entry.debit == "merchant")
            found[entry.payment] += sign * entry.money.amount
    return found


def test_the_lines_of_every_tree_are_what_the_ledger_moved(merchant: Merchant) -> None:
    wanted = shapes(Merchant(merchant.folder / "trial", merchant.institute), LONGEST)
    made = make_over_days(merchant, wanted, merchant.begin_day)
    merchant.begin_day(len(made[0]))
    lines, entries = settled(merchant), moved_in(merchant.store)

    wrong = [
        (
            shape,
            [
                (kind, str(lines[each]), str(entries[each]))
                for kind, each in zip(names, ids, strict=False)
            ],
        )
        for shape, ids in made
        for names in [[shape.first, *(step.kind for step in shape.steps)]]
        if sum(lines[each] for each in ids) != sum(entries[each] for each in ids)
    ]

    assert len(made) > 200
    assert wrong == []


def test_each_file_obeys_the_rules_and_each_run_agrees(merchant: Merchant) -> None:
    wanted = shapes(Merchant(merchant.folder / "trial", merchant.institute), LONGEST)
    make_over_days(merchant, wanted, merchant.begin_day)
    merchant.begin_day(9)

    account = merchant.context.channel.merchant_account
    sums = [sums_of(merchant.context.ports, run, account) for run in merchant.runs]

    assert broken_in(merchant.files()) == []
    assert all(each.agrees for each in sums if each.lines)
    assert merchant.balances()["merchant"] == 0
