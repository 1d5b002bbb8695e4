"""Steps about lines of a reconciliation file: what they repeat of a payment and of its merchant."""

from decimal import Decimal
from pathlib import Path

from pytest_bdd import given, parsers, then

from features.steps.payments.settlement import (
    NOON,
    debit_bank_account,
    lines_of,
    open_settled,
    pay,
)
from features.support.assertions import NO_ANSWER, Judge
from features.support.sandboxes import OpenShops
from features.support.settlement import SettledMerchant, settled_merchant
from features.target.records import Target
from simulator.client import Answer, Control

CENT, HALF_A_CENT = Decimal("0.01"), Decimal("0.005")


@given(
    parsers.re(
        r'a merchant with the channel "(?P<channel>.+)", whose payments (?P<institute>.+)'
        r" settles"
    ),
    target_fixture="settled",
)
def open_settled_channel(
    open_shops: OpenShops,
    target: Target,
    control: Control,
    tmp_path: Path,
    *,
    channel: str,
    institute: str,
) -> SettledMerchant:
    return open_settled(
        open_shops, target, control, institute=institute, folder=tmp_path, channel=channel
    )


@given(
    parsers.re(
        r"a merchant whose channel takes (?P<currency>[A-Z]{3}) alone, and whose payments"
        r" (?P<institute>.+) settles"
    ),
    target_fixture="settled",
)
def open_settled_in_currency(
    open_shops: OpenShops,
    target: Target,
    control: Control,
    tmp_path: Path,
    *,
    currency: str,
    institute: str,
) -> SettledMerchant:
    channel = {"name": "web", "clearing_institute": institute, "currencies": [currency]}
    shops = [{"name": "Jones Books", "channels": [channel]}]
    merchant = open_shops(merchants=shops, clock={"mode": "frozen", "at": NOON})[0]
    return settled_merchant(target, control, merchant, institute=institute, folder=tmp_path)


@given(
    parsers.re(
        r'the merchant made a (?P<kind>debit|direct debit) with (?P<name>\S+) "(?P<text>.*)"'
    ),
    target_fixture="moved",
)
def make_debit_with(settled: SettledMerchant, *, kind: str, name: str, text: str) -> Answer:
    make = pay("DB", **{name: text}) if kind == "debit" else debit_bank_account(**{name: text})
    return make(settled.merchant)


@then("its lines repeat what the gateway says of the payment")
def lines_repeat_payment(settled: SettledMerchant, moved: Answer, judge: Judge) -> None:
    known = settled.merchant.client.get(f"v1/query/{moved.id}")
    expected = {"ShortId": known.at("shortId"), "Descriptor": known.at("descriptor")}
    of_money = {"Amount": known.at("amount"), "Currency": known.at("currency")}
    for line in lines_of(settled, moved):
        wanted = expected | ({} if line["ReconciliationType"] == "FEE" else of_money)
        judge.same("columns of its line", known, expected=wanted,
                   came={name: line[name] for name in wanted})  # fmt: skip


@then("every line names the entities above the merchant")
def lines_name_entities(settled: SettledMerchant, judge: Judge) -> None:
    above = settled.control.sandbox(settled.merchant.sandbox)
    expected = {"PspId": above["psp"], "DivisionId": above["division"],
                "MerchantId": settled.merchant.entity}  # fmt: skip
    came = [{name: line[name] for name in expected} for line in settled.records_for(judge)]
    judge.same("columns of the lines", NO_ANSWER, expected=[expected] * len(came), came=came)


@then("every line has an id of its own")
def lines_have_ids(settled: SettledMerchant, judge: Judge) -> None:
    came = [line["SettlementTxId"] for line in settled.records_for(judge)]
    judge.holds("SettlementTxId", NO_ANSWER, all(came) and len(came) == len(set(came)),
                expected="one each", came=str(came))  # fmt: skip


@then(parsers.re(r"its line is settled in (?P<currency>[A-Z]{3}) at its rate"))
def settled_at_rate(settled: SettledMerchant, moved: Answer, judge: Judge, currency: str) -> None:
    (line,) = (line for line in lines_of(settled, moved) if line["ReconciliationType"] != "FEE")
    amount, rate = line.amount("Amount"), line.amount("SettlementFxRate")
    judge.same("SettlementCurrency", NO_ANSWER, expected=currency, came=line["SettlementCurrency"])
    # The column has two decimals of the rate alone.
    least, most = (amount * (rate + each) for each in (-HALF_A_CENT, HALF_A_CENT))
    came = line.amount("SettlementAmount")
    judge.holds("SettlementAmount", NO_ANSWER, least - CENT <= came <= most + CENT and rate != 1,
                expected=f"{amount} at {rate}, which is not 1.00", came=str(came))  # fmt: skip


@then("its ChargebackId is the chargeback that it takes back")
def names_what_it_takes_back(settled: SettledMerchant, moved: Answer, judge: Judge) -> None:
    named = {line["ChargebackId"] for line in lines_of(settled, moved)}
    made = [line for line in settled.records if line["ReconciliationType"] == "CHARGEBACK"]
    expected = {line["UniqueID"] for line in made}
    judge.same("ChargebackId", NO_ANSWER, expected=expected, came=named)
