"""Steps about settlement: bank days, and the reconciliation file that a merchant fetches."""

from collections import Counter
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from pytest_bdd import given, parsers, then, when

from features.reconciling.rules import CurrencySums, broken_rules
from features.reconciling.settlement_csv import SettledRecord, header
from features.steps.payments.bank_accounts import DEBIT as BANK_DEBIT
from features.steps.payments.bank_accounts import WALLET
from features.support.assertions import NO_ANSWER, Judge
from features.support.merchant import Merchant
from features.support.sandboxes import OpenShops
from features.support.settlement import SettledMerchant, settled_merchant
from features.target.records import Target
from simulator.client import Answer, Control

# A Thursday, before the cut-off of every institute.
NOON = "2030-01-03T12:00:00Z"
EUROS = ("92.00", "EUR")
PART = {"amount": "42.00", "currency": "EUR"}
# An account without an IBAN, whose bank is named by its BIC.
BY_BIC = {
    "bankAccount.iban": "",
    "bankAccount.number": "0532013000",
    "bankAccount.bic": "COBADEFFXXX",
    "bankAccount.country": "DE",
}
MASTER = {"paymentBrand": "MASTER", "card.number": "5454545454545454"}
NAMED_SUBMERCHANT = {"merchant.submerchantId": "book-stall-7", "merchant.name": "Book Stall"}
REQUIREMENT = r"(?P<requirement>[A-Z]+-\d+)"


def pay(payment_type: str, **more: str) -> Callable[[Merchant], Answer]:
    """A new payment by card."""
    return lambda merchant: merchant.pay_by_card(payment_type, *EUROS, more)


def refer(before: str, payment_type: str, **more: str) -> Callable[[Merchant], Answer]:
    """A payment that refers to another movement."""
    return lambda merchant: merchant.refer(MOVEMENTS[before](merchant).id, payment_type, **more)


def debit_bank_account(**more: str) -> Callable[[Merchant], Answer]:
    """A direct debit; an empty value leaves one of its parameters out."""
    amount, currency = EUROS
    money = {"paymentType": "DB", "amount": amount, "currency": currency}
    sent = {name: value for name, value in {**money, **BANK_DEBIT, **more}.items() if value}
    return lambda merchant: merchant.pay(sent)


def debit_wallet(merchant: Merchant) -> Answer:
    """A debit by the decrypted data of a wallet."""
    amount, currency = EUROS
    return merchant.pay({"paymentType": "DB", "amount": amount, "currency": currency, **WALLET})


class MonthLine(NamedTuple):
    """A line that a movement has to have: the payment, the type of the record, and its money."""

    payment: str
    kind: str
    amount: str
    currency: str


# fmt: off
MOVEMENTS: Mapping[str, Callable[[Merchant], Answer]] = {
    "debit":               pay("DB"),
    "debit at the card host": pay("DB", testMode="EXTERNAL"),
    "debit of a submerchant": pay("DB", **{"merchant.submerchantId": "book-stall-7"}),
    "debit of a named submerchant": pay("DB", **NAMED_SUBMERCHANT),
    "debit by another name": pay("DB", **{"merchant.name": "Book Stall"}),
    "credit":              pay("CD"),
    "authorization":       pay("PA"),
    "capture":             refer("authorization", "CP", **PART),
    "reversal":            refer("authorization", "RV"),
    "refund":              refer("debit", "RF", **PART),
    "refund of a credit":  refer("credit", "RF", **PART),
    "chargeback":          refer("debit", "CB"),
    "chargeback reversal": refer("chargeback", "CR"),
    "second chargeback":   refer("chargeback reversal", "CB"),
    "chargeback of a refund": refer("refund", "CB"),
    "direct debit":        debit_bank_account(),
    "direct debit by BIC": debit_bank_account(**BY_BIC),
    "wallet debit":        debit_wallet,
    "debit with references": pay(
        "DB", merchantTransactionId="order-4711", merchantInvoiceId="invoice-4711"
    ),
    "debit with a descriptor": pay("DB", descriptor="Jones Books 4711"),
    "debit by another brand": pay("DB", **MASTER),
}
# fmt: on


@given(parsers.parse("a merchant whose payments {institute} settles"), target_fixture="settled")
def open_settled_merchant(
    open_shops: OpenShops, target: Target, control: Control, tmp_path: Path, *, institute: str
) -> SettledMerchant:
    return open_settled(open_shops, target, control, institute=institute, folder=tmp_path)


def open_settled(
    open_shops: OpenShops,
    target: Target,
    control: Control,
    *,
    institute: str,
    folder: Path,
    channel: str = "web",
) -> SettledMerchant:
    """A merchant of a sandbox of its own, whose one channel has this name."""
    channels = [{"name": channel, "clearing_institute": institute}]
    shops = [{"name": "Jones Books", "channels": channels}]
    merchant = open_shops(merchants=shops, clock={"mode": "frozen", "at": NOON})[0]
    return settled_merchant(target, control, merchant, institute=institute, folder=folder)


@given(
    parsers.parse("a merchant beside another one, whose payments {institute} settles"),
    target_fixture="settled",
)
def open_two_settled_merchants(
    open_shops: OpenShops, target: Target, control: Control, tmp_path: Path, *, institute: str
) -> SettledMerchant:
    channel = {"name": "web", "clearing_institute": institute}
    shops = [{"name": name, "channels": [channel]} for name in ("Jones Books", "Smith Shoes")]
    merchant, other = open_shops(merchants=shops, clock={"mode": "frozen", "at": NOON})
    settled = settled_merchant(target, control, merchant, institute=institute, folder=tmp_path)
    settled.other = other
    return settled


@given(parsers.re(r'it is "(?P<instant>\S+)"'))
def set_time(settled: SettledMerchant, instant: str) -> None:
    settled.control.set_clock(settled.merchant.sandbox, "frozen", at=instant)


@given(
    parsers.re(rf"the merchant made an? (?P<movement>{'|'.join(MOVEMENTS)})$"),
    target_fixture="moved",
)
def make_movement(settled: SettledMerchant, movement: str) -> Answer:
    return MOVEMENTS[movement](settled.merchant)


@given(parsers.re(r"the merchant made a debit of (?P<amount>\S+) (?P<currency>[A-Z]{3})"),
       target_fixture="moved")  # fmt: skip
def make_debit(settled: SettledMerchant, amount: str, currency: str) -> Answer:
    return settled.merchant.pay_by_card("DB", amount, currency)


@given(
    parsers.re(
        r"the merchant made (?P<count>\d+) debits of (?P<amount>\S+) (?P<currency>[A-Z]{3})"
    ),
    converters={"count": int},
)
def make_debits(settled: SettledMerchant, count: int, amount: str, currency: str) -> None:
    for _ in range(count):
        settled.merchant.pay_by_card("DB", amount, currency)


@given("the merchant refunded a part of it", target_fixture="refunded")
def refund_part(settled: SettledMerchant, moved: Answer) -> Answer:
    return settled.merchant.refer(moved.id, "RF", **PART)


@given("the merchant made a capture in 3 parts")
def capture_in_parts(settled: SettledMerchant) -> None:
    authorized = MOVEMENTS["authorization"](settled.merchant)
    for amount in ("30.00", "30.00", "32.00"):
        settled.merchant.refer(authorized.id, "CP", amount=amount, currency="EUR")


@given(
    "the merchant made movements of every kind on each of 30 days, in 3 currencies",
    target_fixture="month",
)
def make_month(settled: SettledMerchant) -> Counter[MonthLine]:
    """The lines that everything that moved money has to have."""
    made, merchant = Counter[MonthLine](), settled.merchant

    def note(moved: Answer, kind: str = "SETTLED") -> Answer:
        made[MonthLine(moved.id, kind, moved.at("amount"), moved.at("currency"))] += 1
        return moved

    for day in range(30):
        currency = ("EUR", "USD", "JPY")[day % 3]
        sold = note(merchant.pay_by_card("DB", f"{90 + day}.00", currency))
        for part in ("10.00", "7.00")[: day % 3]:
            note(merchant.refer(sold.id, "RF", amount=part, currency=currency))
        if day % 5 == 0:
            disputed = note(merchant.refer(sold.id, "CB"), "CHARGEBACK")
            if day % 2 == 0:
                note(merchant.refer(disputed.id, "CR"), "CHARGEBACK REVERSAL")
        note(MOVEMENTS["capture"](merchant))
        note(MOVEMENTS["wallet debit" if day % 2 else "direct debit"](merchant))
        settled.pass_time("1d")
    return made


@given("the institute will write a file with a wrong total")
def plant_wrong_total(settled: SettledMerchant) -> None:
    settled.control.plant_settlement_faults(
        settled.merchant.sandbox, settled.institute, "file: trailer"
    )


@given(parsers.parse("the institute will write a line with the fault {fault}"))
def plant_fault(settled: SettledMerchant, fault: str) -> None:
    plan = f"counts: {{{fault}: 1}}"
    settled.control.plant_settlement_faults(settled.merchant.sandbox, settled.institute, plan)


@given("the bank day was settled")
@when("the bank day is settled")
def settle_day(settled: SettledMerchant) -> None:
    settled.pass_time("24h")
    settled.settle()


@when(parsers.re(r"the bank days of (?P<days>\d+) days are settled"))
def settle_days(settled: SettledMerchant, days: str) -> None:
    settled.pass_time(f"{days}d")
    settled.settle()


@when(parsers.re(r"every institute settles the bank days of (?P<days>\d+) days"))
def settle_days_of_all(settled: SettledMerchant, days: str) -> None:
    settled.pass_time(f"{days}d")
    settled.settle(by_all=True)


@when(parsers.re(r"the bank day (?P<day>\S+) is settled again"))
def settle_again(settled: SettledMerchant, day: str) -> None:
    settled.settle(day)


@when("what is over is settled")
def settle_nothing(settled: SettledMerchant) -> None:
    settled.settle()


@then("the merchant fetches one file by SFTP")
def fetched_one(settled: SettledMerchant, judge: Judge) -> None:
    judge.same("files in its folder", NO_ANSWER, expected=1, came=len(settled.files))


@then(parsers.re(r"the merchant has files of (?P<days>[0-9, -]+)"))
def has_files_of(settled: SettledMerchant, judge: Judge, days: str) -> None:
    came = [record["SettlementDate"] for record in settled.records]
    judge.same("settlement dates", NO_ANSWER, expected=days.split(", "), came=sorted({*came}))


@then(parsers.re(r"(?P<count>\d+) lines? (?:is|are) (?P<kind>[A-Z ]+), (?P<transaction>[A-Z_]+)"))
def counts_lines(
    settled: SettledMerchant, judge: Judge, *, count: str, kind: str, transaction: str
) -> None:
    names = ("ReconciliationType", "PaymentType")
    came = Counter(tuple(line[name] for name in names) for line in settled.records)
    judge.same("such lines", NO_ANSWER, expected=int(count), came=came[kind, transaction])


@then("no movement of them is missing or there twice")
def each_once(settled: SettledMerchant, month: Counter[MonthLine], judge: Judge) -> None:
    names = ("UniqueID", "ReconciliationType", "Amount", "Currency")
    moving = [line for line in settled.records if line["ReconciliationType"] != "FEE"]
    came = Counter(MonthLine(*(line[name] for name in names)) for line in moving)
    judge.same("lines", NO_ANSWER, expected=month, came=came)


@then("every line of a payment is matched with it alone")
def all_matched(settled: SettledMerchant, judge: Judge) -> None:
    lines = [line for line in settled.records if line["MatchingStatus"]]
    wrong = [line.number for line in lines if line.matched != (line["UniqueID"],)]
    judge.holds("lines", NO_ANSWER, bool(lines) and not wrong,
                expected="each matched with its own payment",
                came=f"{len(lines)} lines, of which not: {wrong}")  # fmt: skip


@then("the merchant finds no file")
def finds_nothing(settled: SettledMerchant, judge: Judge) -> None:
    names = [each.name for each in settled.files]
    judge.same("files in its folder", NO_ANSWER, expected=[], came=names)


@then("the file begins with the 36 columns in their order")
def has_header(settled: SettledMerchant, judge: Judge) -> None:
    first = settled.files[0].read_bytes().partition(b"\r\n")[0].decode("utf-8")
    judge.same("the first line", NO_ANSWER, expected=header(), came=first)


@then(parsers.re(f"no line of the file breaks {REQUIREMENT}"))
def breaks_nothing(settled: SettledMerchant, judge: Judge, requirement: str) -> None:
    found = broken_rules(settled.records_for(judge))
    broken = [each for each in found if each.requirement == requirement]
    judge.same("broken rules", NO_ANSWER, expected=[], came=[str(each) for each in broken[:5]])


@then(parsers.re(r"its line is (?P<kind>[A-Z ]+), (?P<transaction>[A-Z_]+), (?P<cashflow>[A-Z]+)"))
def line_is(
    settled: SettledMerchant, moved: Answer, judge: Judge, *,
    kind: str, transaction: str, cashflow: str,
) -> None:  # fmt: skip
    names = ("ReconciliationType", "PaymentType", "Cashflow")
    came = [tuple(line[name] for name in names) for line in lines_of(settled, moved)]
    judge.member("lines of it", NO_ANSWER, expected=(kind, transaction, cashflow), came=came)


@then("the file has records SETTLED, CHARGEBACK, CHARGEBACK REVERSAL and FEE")
def has_all_records(settled: SettledMerchant, judge: Judge) -> None:
    came = {line["ReconciliationType"] for line in settled.records}
    expected = {"SETTLED", "CHARGEBACK", "CHARGEBACK REVERSAL", "FEE"}
    judge.same("types of records", NO_ANSWER, expected=expected, came=came)


@then(parsers.re(r'its line has (?P<name>\w+) "(?P<text>.*)"'))
def line_has(
    settled: SettledMerchant, moved: Answer, judge: Judge, *, name: str, text: str
) -> None:
    came = {line[name] for line in lines_of(settled, moved)}
    judge.same(f"{name} of its line", NO_ANSWER, expected={text}, came=came)


@then(parsers.re(r'the fee of its movement is "(?P<fee>[^"]*)"'))
def movement_has_fee(settled: SettledMerchant, moved: Answer, judge: Judge, fee: str) -> None:
    lines = [line for line in lines_of(settled, moved) if line["ReconciliationType"] != "FEE"]
    came = [line["SettlementFee"] for line in lines]
    judge.same("SettlementFee of its line", NO_ANSWER, expected=[fee], came=came)


@then("its line is matched with it alone")
def is_matched_alone(settled: SettledMerchant, moved: Answer, judge: Judge) -> None:
    came = [line.matched for line in lines_of(settled, moved)]
    judge.same("MatchedTransactions", NO_ANSWER, expected=[(moved.id,)], came=came)


@then(parsers.re(r"the file has a line that is (?P<status>[A-Z_]+) with (?P<count>\d+) payments"))
def is_matched(settled: SettledMerchant, judge: Judge, *, status: str, count: str) -> None:
    came = [len(line.matched) for line in settled.records if line["MatchingStatus"] == status]
    judge.same(f"payments of lines that are {status}", NO_ANSWER, expected=[int(count)], came=came)


@then("its ChargebackId is the chargeback itself")
def names_itself(settled: SettledMerchant, moved: Answer, judge: Judge) -> None:
    came = {line["ChargebackId"] for line in lines_of(settled, moved)}
    judge.same("ChargebackId", NO_ANSWER, expected={moved.id}, came=came)


@then("the ChargebackId is a chargeback that was made of it")
def names_new(settled: SettledMerchant, moved: Answer, judge: Judge) -> None:
    (identity,) = {line["ChargebackId"] for line in settled.records if line["ChargebackId"]}
    tree = {"includeLinkedTransactions": "true"}
    answer = settled.merchant.client.get(f"v1/query/{moved.id}", tree)
    made = [each["id"] for each in answer.at("payments") if each["paymentType"] == "CB"]
    judge.same("chargebacks of the payment", answer, expected=[identity], came=made)


@then(parsers.re(r"(?P<whether>only its line has|no line has) ReasonCode and ReasonDesc"))
def has_reason(settled: SettledMerchant, moved: Answer, judge: Judge, *, whether: str) -> None:
    expected = {moved.id} if whether.startswith("only") else set()
    records = settled.records_for(judge)
    for name in ("ReasonCode", "ReasonDesc"):
        came = {line["UniqueID"] for line in records if line[name]}
        judge.same(f"lines with a {name}", NO_ANSWER, expected=expected, came=came)


@then("payouts are the lines less their fees, as the ledger posted them")
def agrees_with_ledger(settled: SettledMerchant, judge: Judge) -> None:
    total = CurrencySums()
    for line in settled.records:
        total = total.with_record(line)
    posted = sum((Decimal(each["posted"]) for each in settled.sums()), Decimal(0))
    judge.same("net of the lines, and their payouts", NO_ANSWER,
               expected=(posted, posted), came=(total.net, total.paid))  # fmt: skip


@then(parsers.re(r"the file has fees of (?P<kinds>[A-Z_, ]+|no kind)"))
def has_fees(settled: SettledMerchant, judge: Judge, kinds: str) -> None:
    lines = [line for line in settled.records if line["ReconciliationType"] == "FEE"]
    came = Counter(line["PaymentType"] for line in lines if line["PaymentType"] != "BATCH")
    expected = set() if kinds == "no kind" else set(kinds.split(", "))
    judge.same("fees", NO_ANSWER, expected=expected, came=set(came))


def lines_of(settled: SettledMerchant, moved: Answer) -> list[SettledRecord]:
    """The lines of a payment, of which there has to be one."""
    lines = [line for line in settled.records if line["UniqueID"] == moved.id]
    assert lines, f"expected a line with UniqueID {moved.id}, got none"
    return lines
