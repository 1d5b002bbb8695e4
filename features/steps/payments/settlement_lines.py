"""Steps about lines of a reconciliation file: what they repeat of a payment and of its merchant."""

from decimal import Decimal

from pytest_bdd import parsers, then

from features.steps.payments.settlement import lines_of
from features.support.assertions import NO_ANSWER, Judge
from features.support.settlement import SettledMerchant
from simulator.client import Answer

CENT, HALF_A_CENT = Decimal("0.01"), Decimal("0.005")


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
    came = [{name: line[name] for name in expected} for line in settled.records]
    judge.same("columns of the lines", NO_ANSWER, expected=[expected] * len(came), came=came)


@then("every line has an id of its own")
def lines_have_ids(settled: SettledMerchant, judge: Judge) -> None:
    came = [line["SettlementTxId"] for line in settled.records]
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
