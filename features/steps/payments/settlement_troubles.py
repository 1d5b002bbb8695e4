"""Steps about settlement that goes wrong: files that come twice, payouts that fail."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

from pytest_bdd import given, parsers, then, when

from features.steps.payments.settlement import EUROS
from features.support.assertions import NO_ANSWER, Judge
from features.support.merchant import Merchant
from features.support.settlement import SettledMerchant, settled_merchant
from features.target.records import Target
from simulator.client import Answer, Control

PAYOUT = "BATCH"


@given(parsers.re(r"the institute will write (?P<count>\d+) lines with the fault (?P<fault>\w+)"))
def plant_faults(settled: SettledMerchant, count: str, fault: str) -> None:
    plant(settled, f"counts: {{{fault}: {count}}}")


@given("the institute will deliver its file twice")
def plant_twice(settled: SettledMerchant) -> None:
    plant(settled, "file: twice")


@given("the bank will reject the payout")
def plant_rejection(settled: SettledMerchant) -> None:
    plant(settled, "payout: rejected")


@given("the merchant made 3 debits with one merchantTransactionId")
def make_debits_alike(settled: SettledMerchant) -> None:
    for _ in range(3):
        settled.merchant.pay_by_card("DB", *EUROS, {"merchantTransactionId": "order-0001"})


@given("it was charged back", target_fixture="charged_back")
def charge_back(settled: SettledMerchant, moved: Answer) -> Answer:
    return settled.merchant.refer(moved.id, "CB")


@given("it was reversed", target_fixture="reversed_by")
def reverse(settled: SettledMerchant, moved: Answer) -> Answer:
    return settled.merchant.refer(moved.id, "RV")


@given("another merchant of the sandbox made a debit", target_fixture="other")
def make_debit_of_other(
    settled: SettledMerchant, target: Target, control: Control
) -> SettledMerchant:
    sandbox = settled.merchant.sandbox
    channel = {"name": "web", "clearing_institute": settled.institute}
    made = control.add_merchant(sandbox, name="Smith Toys", channels=[channel])
    client = settled.merchant.client.with_credentials(made["token"], made["channels"][0]["id"])
    other = Merchant(client, sandbox, entity=made["id"], card=settled.merchant.card)
    other.pay_by_card("DB", *EUROS)
    folder = settled.folder / "other"
    folder.mkdir()
    return settled_merchant(target, control, other, institute=settled.institute, folder=folder)


@given("its payout is FAILED and nothing of it is posted", target_fixture="failed")
def find_failed_payout(settled: SettledMerchant) -> str:
    (line,) = (line for line in settled.records if line.is_batch)
    came = (line["SettlementStatus"], *(each["posted"] for each in settled.sums()))
    assert came == ("FAILED", "0.00"), f"expected FAILED and 0.00 posted, got {came}"
    return line["SettlementAmount"]


@when("the bank day is settled by 4 at once")
def settle_at_once(settled: SettledMerchant) -> None:
    settled.pass_time("24h")
    with ThreadPoolExecutor(4) as pool:
        for each in [pool.submit(settle_alone, settled) for _ in range(4)]:
            each.result()
    settled.settle()


@then(
    parsers.re(
        r'the lines of sales have Amount "(?P<amount>\S+)" and MatchingStatus "(?P<status>\w+)"'
    )
)
def sales_have(settled: SettledMerchant, judge: Judge, *, amount: str, status: str) -> None:
    sales = [line for line in settled.records if line["PaymentType"] == "DEBIT"]
    came = {(line["Amount"], line["MatchingStatus"]) for line in sales}
    judge.same("amount and status", NO_ANSWER, expected={(amount, status)}, came=came)


@then(parsers.re(r'the chargeback line has (?P<name>\w+) "(?P<text>[^"]*)"'))
def chargeback_has(settled: SettledMerchant, judge: Judge, *, name: str, text: str) -> None:
    lines = [line for line in settled.records if line["ReconciliationType"] == "CHARGEBACK"]
    judge.same(f"{name} of its line", NO_ANSWER, expected=[text], came=[x[name] for x in lines])


@then("every chargeback line names the chargeback that there is")
def chargebacks_name(settled: SettledMerchant, charged_back: Answer, judge: Judge) -> None:
    lines = [line for line in settled.records if line["ReconciliationType"] == "CHARGEBACK"]
    came = {line["ChargebackId"] for line in lines}
    judge.same("ChargebackId of the lines", NO_ANSWER, expected={charged_back.id}, came=came)


@then("no other chargeback was made of it")
def knows_one_chargeback(
    settled: SettledMerchant, moved: Answer, charged_back: Answer, judge: Judge
) -> None:
    tree = {"includeLinkedTransactions": "true"}
    answer = settled.merchant.client.get(f"v1/query/{moved.id}", tree)
    made = [each["id"] for each in answer.at("payments") if each["paymentType"] == "CB"]
    judge.same("chargebacks of the payment", answer, expected=[charged_back.id], came=made)


@then("the run says that a file came once more")
def says_once_more(settled: SettledMerchant, judge: Judge) -> None:
    (came,) = (run["problem"] for run in settled.runs)
    is_said = "once more" in came and run_names_file(settled)
    judge.holds("problem of the run", NO_ANSWER, is_said,
                expected="a file that came once more, by name", came=repr(came))  # fmt: skip


@then("the payout that failed is SUCCESS, of the same amount")
def payout_succeeds(settled: SettledMerchant, failed: str, judge: Judge) -> None:
    lines = [line for line in settled.records if line.is_batch]
    came = [(line["SettlementStatus"], line["SettlementAmount"]) for line in lines]
    judge.member("payouts", NO_ANSWER, expected=("SUCCESS", failed), came=came)
    posted = sum((Decimal(each["posted"]) for each in settled.sums()), Decimal(0))
    judge.holds("what the ledger posted", NO_ANSWER, posted >= Decimal(failed),
                expected=f"at least {failed}", came=str(posted))  # fmt: skip


@then(parsers.re(r"(?P<count>\d+) bank days were settled, each once and in order"))
def days_in_order(settled: SettledMerchant, judge: Judge, count: str) -> None:
    days = [run["day"] for run in settled.runs]
    judge.same("bank days", NO_ANSWER, expected=int(count), came=len(days))
    judge.same("their order", NO_ANSWER, expected=sorted(set(days)), came=days)


@then("each of the two merchants fetches lines of its own payments alone")
def sees_own_alone(settled: SettledMerchant, other: SettledMerchant, judge: Judge) -> None:
    other.files = other.server.fetch_new(other.folder)
    mine, theirs = named_payments(settled), named_payments(other)
    judge.holds("payments of both", NO_ANSWER, bool(mine and theirs) and not mine & theirs,
                expected="some of each, and none of both", came=f"{mine}, {theirs}")  # fmt: skip
    for each in (settled, other):
        came = {line["MerchantId"] for line in each.records}
        judge.same("MerchantId", NO_ANSWER, expected={each.merchant.entity}, came=came)


@then("the ledger posted the payout of the file once")
def posted_once(settled: SettledMerchant, control: Control, judge: Judge) -> None:
    sandbox = settled.merchant.sandbox
    (run,) = (run for run in control.settlements(sandbox) if run["delivered"])
    (account,) = control.settlement(sandbox, run["id"])["accounts"]
    (paid,) = (line["SettlementAmount"] for line in settled.records if line.is_batch)
    judge.same("what the ledger posted", NO_ANSWER, expected=paid, came=account["posted"])


def plant(settled: SettledMerchant, plan: str) -> None:
    """Order troubles of the next file of the institute."""
    settled.control.plant_settlement_faults(settled.merchant.sandbox, settled.institute, plan)


def named_payments(settled: SettledMerchant) -> set[str]:
    """The payments that the lines of a merchant name, or are matched with."""
    lines = settled.records
    return {each for line in lines for each in (line["UniqueID"], *line.matched)} - {""}


def run_names_file(settled: SettledMerchant) -> bool:
    """Whether the problem of the run names one of its files."""
    (run,) = settled.runs
    return any(name in run["problem"] for name in run["files"])


def settle_alone(settled: SettledMerchant) -> None:
    """Settle what is over, over a connection of its own."""
    alone = settled.control.on_own_connection()
    try:
        alone.settle(settled.merchant.sandbox, institute=settled.institute)
    finally:
        alone.close()
