"""Steps about terminals at the point of sale: cards, encrypted accounts and PINs, chip data."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from pytest_bdd import given, parsers, then, when

from features.steps.phrases import MONEY, behaviour, several
from features.steps.simulators.acquirers import messages_to_acquirer
from features.steps.simulators.parties import MASK, element_of
from features.support.assertions import Judge
from features.support.disclosure import is_disclosed
from features.support.merchant import Merchant
from features.support.terminals import (
    ACCOUNT,
    ACCOUNT_KEY,
    CardVerdict,
    TargetTerminal,
    load_remotely,
    opened_terminal,
)
from pos_emulator.kernel.records import CardResult
from simulator.client import Answer, Control

NUMBER = "4200000000000000"
MAKER = "SANDGATE_"
# The hex digits of a serial number of AES DUKPT, and the bytes of a block.
AES_SERIAL, AES_BLOCK, TDES_BLOCK = 24, 16, 8


@given(parsers.re(r"a terminal with keys of (?P<method>TDES|AES) DUKPT"), target_fixture="terminal")
def create_terminal(control: Control, merchant: Merchant, method: str) -> Iterator[TargetTerminal]:
    with opened_terminal(merchant, control.create_terminal(merchant.sandbox, method=method)) as it:
        yield it


@given(
    parsers.re(r"a terminal that loads its keys of (?P<method>TDES|AES) DUKPT remotely"),
    target_fixture="terminal",
)
def create_remote_terminal(
    control: Control, merchant: Merchant, method: str
) -> Iterator[TargetTerminal]:
    facts = control.create_terminal(merchant.sandbox, method=method, loading="remote")
    load = load_remotely(control, merchant.sandbox, facts)
    with opened_terminal(merchant, {**facts, "load": load}) as it:
        yield it


@given("a terminal", target_fixture="terminal")
def take_known_terminal(known_terminal: TargetTerminal) -> TargetTerminal:
    return known_terminal


@given(parsers.parse("a terminal of the model {model}"), target_fixture="terminal")
def create_terminal_of_model(
    control: Control, merchant: Merchant, model: str
) -> Iterator[TargetTerminal]:
    facts = control.create_terminal(merchant.sandbox, model=f"{MAKER}{model}")
    with opened_terminal(merchant, facts) as it:
        yield it


@given(parsers.re(r'the acquirer (?P<verb>approves|declines) with the status text "(?P<text>\w+)"'))
def say_on_receipts(control: Control, merchant: Merchant, verb: str, text: str) -> None:
    code = {} if verb == "approves" else {"code": "800.100.152"}
    steps = {verb.removesuffix("s"): {**code, "status_text": text}}
    control.arm_script(merchant.sandbox, behaviour("says-on-receipts", steps))


@given(
    parsers.re(rf"a debit of {MONEY} by encrypted account data at the terminal"),
    target_fixture="payment",
)
@when(
    parsers.re(rf"the terminal debits {MONEY} by encrypted account data"), target_fixture="answer"
)
def pay_encrypted(terminal: TargetTerminal, amount: str, currency: str) -> Answer:
    return terminal.pay(terminal.order("ICC", amount, currency) | terminal.encrypted(NUMBER))


@given(
    parsers.re(rf"an authorization of {MONEY} by encrypted account data at the terminal"),
    target_fixture="payment",
)
def authorize_encrypted(terminal: TargetTerminal, amount: str, currency: str) -> Answer:
    order = terminal.order("ICC", amount, currency) | {"paymentType": "PA"}
    return terminal.pay(order | terminal.encrypted(NUMBER))


@when(
    parsers.re(
        rf"the terminal debits {MONEY} by the test card, read by (?P<mode>\w+)"
        r"(?P<with_pin>, with its PIN)?"
    ),
    target_fixture="answer",
)
def pay_by_test_card(
    terminal: TargetTerminal, amount: str, currency: str, *, mode: str, with_pin: str | None
) -> Answer:
    number = terminal.number
    sent = terminal.order(mode, amount, currency) | terminal.encrypted(number, terminal.expiry)
    pin = terminal.encrypted_pin(terminal.pin, number) if with_pin else {}
    return terminal.pay({**sent, **pin})


@then("the response hides the number of the test card")
def hide_number(terminal: TargetTerminal, answer: Answer, judge: Judge) -> None:
    judge.holds(
        "the number of the card",
        answer,
        not is_disclosed(terminal.number, f"{answer.body} {answer.headers}"),
        expected="no card number in the response",
        came="the whole number",
    )
    last, came = terminal.number[-4:], answer.at("card.last4Digits")
    judge.same("card.last4Digits", answer, expected=last, came=came)


@given(
    parsers.re(rf"a debit of {MONEY} by encrypted account data at the terminal with"),
    target_fixture="payment",
)
@when(
    parsers.re(rf"the terminal debits {MONEY} by encrypted account data with"),
    target_fixture="answer",
)
def pay_encrypted_with(
    terminal: TargetTerminal, amount: str, currency: str, *, datatable: Sequence[Sequence[str]]
) -> Answer:
    sent = terminal.order("ICC", amount, currency) | terminal.encrypted(NUMBER)
    return terminal.pay(
        {name: each for name, each in {**sent, **several(datatable)}.items() if each}
    )


@when(
    parsers.re(
        rf"the terminal debits {MONEY} by the encrypted account (?P<number>\d+)"
        r" read by (?P<mode>\w+)"
    ),
    target_fixture="answer",
)
def pay_encrypted_account(
    terminal: TargetTerminal, amount: str, currency: str, *, number: str, mode: str
) -> Answer:
    return terminal.pay(terminal.order(mode, amount, currency) | terminal.encrypted(number))


@when(
    parsers.re(
        rf'the terminal debits {MONEY} by the account "(?P<number>\d*)"'
        r' with the expiry "(?P<expiry>\d*)"'
    ),
    target_fixture="answer",
)
def pay_by_account_data(
    terminal: TargetTerminal, amount: str, currency: str, *, number: str, expiry: str
) -> Answer:
    return terminal.pay(
        terminal.order("ICC", amount, currency) | terminal.encrypted(number, expiry)
    )


@when(
    parsers.re(
        rf"the terminal debits {MONEY} by encrypted account data without its last"
        r" (?P<part>block|byte)"
    ),
    target_fixture="answer",
)
def pay_by_cut_data(terminal: TargetTerminal, amount: str, currency: str, *, part: str) -> Answer:
    sent = terminal.order("ICC", amount, currency) | terminal.encrypted(NUMBER)
    block = AES_BLOCK if len(sent[ACCOUNT_KEY]) == AES_SERIAL else TDES_BLOCK
    digits = 2 * (block if part == "block" else 1)
    return terminal.pay({**sent, ACCOUNT: sent[ACCOUNT][:-digits]})


@when(
    parsers.re(rf"the terminal debits {MONEY} twice with one key serial number"),
    target_fixture="answer",
)
def pay_twice(terminal: TargetTerminal, amount: str, currency: str) -> Answer:
    sent = terminal.order("ICC", amount, currency) | terminal.encrypted(NUMBER)
    terminal.pay(sent)
    return terminal.pay(sent)


@when(
    parsers.re(rf"the terminal debits {MONEY} after a payment with a later key serial number"),
    target_fixture="answer",
)
def pay_out_of_order(terminal: TargetTerminal, amount: str, currency: str) -> Answer:
    order = terminal.order("ICC", amount, currency)
    earlier, later = terminal.encrypted(NUMBER), terminal.encrypted(NUMBER)
    terminal.pay(order | later)
    return terminal.pay(order | earlier)


@when(
    parsers.re(
        rf"the terminal debits {MONEY} under a counter of (?P<bits>\d+) bits that is not its own"
    ),
    converters={"bits": int},
    target_fixture="answer",
)
def pay_under_counter(terminal: TargetTerminal, amount: str, currency: str, *, bits: int) -> Answer:
    sent = terminal.order("ICC", amount, currency) | terminal.encrypted(NUMBER)
    # The counter is the end of the number: the upper digits, which name the key, stay.
    serial, ones = sent[ACCOUNT_KEY], (1 << bits) - 1
    return terminal.pay({**sent, ACCOUNT_KEY: f"{serial[:-5]}{ones:05X}"})


@when(
    parsers.re(rf"the terminal debits {MONEY} with the account under the key for PINs"),
    target_fixture="answer",
)
def pay_with_other_key(terminal: TargetTerminal, amount: str, currency: str) -> Answer:
    account, pin = terminal.encrypted(NUMBER), terminal.encrypted_pin("1234", NUMBER)
    key = {"pos.encryptedSred.ksn": pin["pos.encryptedPin.ksn"]}
    return terminal.pay(terminal.order("ICC", amount, currency) | account | key)


@when(
    parsers.re(r'the card (?P<card>[\w-]+) pays (?P<amount>\S+) EUR with the PIN "(?P<pin>\d+)"'),
    target_fixture="verdict",
)
def insert_card(terminal: TargetTerminal, card: str, amount: str, pin: str) -> CardVerdict:
    return terminal.insert(card, amount, pin)


@given(parsers.re(r"the card (?P<card>[\w-]+) was tapped for (?P<amount>\S+) EUR"))
@when(
    parsers.re(r"the card (?P<card>[\w-]+) is tapped for (?P<amount>\S+) EUR"),
    target_fixture="verdict",
)
def tap_card(terminal: TargetTerminal, card: str, amount: str) -> CardVerdict:
    return terminal.tap(card, amount)


@given(
    parsers.re(
        r'the card (?P<card>[\w-]+) paid (?P<amount>\S+) EUR with the PIN "(?P<pin>\d+)"'
        r" (?P<times>\d+) times"
    ),
    converters={"times": int},
)
@when(
    parsers.re(
        r'the card (?P<card>[\w-]+) pays (?P<amount>\S+) EUR with the PIN "(?P<pin>\d+)"'
        r" (?P<times>\d+) times"
    ),
    converters={"times": int},
    target_fixture="verdict",
)
def insert_card_again(
    terminal: TargetTerminal, card: str, amount: str, *, pin: str, times: int
) -> CardVerdict:
    verdicts = [terminal.insert(card, amount, pin) for _ in range(times)]
    return verdicts[-1]


@when(
    parsers.re(
        r'the card (?P<card>[\w-]+) pays (?P<amount>\S+) EUR with the PIN "(?P<pin>\d+)"'
        r" in the test mode (?P<mode>[A-Z]+)"
    ),
    target_fixture="verdict",
)
def insert_card_in_mode(
    terminal: TargetTerminal, card: str, amount: str, *, pin: str, mode: str
) -> CardVerdict:
    return terminal.insert(card, amount, pin, {"testMode": mode})


@when(
    parsers.re(
        r'the card (?P<card>[\w-]+) pays (?P<signed>\S+) EUR with the PIN "(?P<pin>\d+)"'
        rf" and {MONEY} is asked for"
    ),
    target_fixture="verdict",
)
def insert_card_for_another_amount(
    terminal: TargetTerminal, card: str, signed: str, *, pin: str, amount: str, currency: str
) -> CardVerdict:
    return terminal.insert(card, signed, pin, {"amount": amount, "currency": currency})


@given(parsers.re(r'the issuer sends the command "(?P<command>[^"]+)" to the card'))
def arm_command(control: Control, merchant: Merchant, command: str) -> None:
    steps = {"issuer": {"commands": [command]}}
    control.arm_script(merchant.sandbox, {"steps": steps})


@given(parsers.re(r"the answer of the issuer has a (?P<proof>wrong) proof"))
def arm_proof(control: Control, merchant: Merchant, proof: str) -> None:
    steps = {"issuer": {"authentication": proof}}
    control.arm_script(merchant.sandbox, {"steps": steps})


@then(parsers.re(r"the card is answered the command (?P<header>[0-9A-F]+)"))
def answers_command(verdict: CardVerdict, judge: Judge, header: str) -> None:
    answer = verdict.answers[-1]
    came = str(answer.at("pos.iccDataResponse") or "").upper()
    judge.holds("commands to the card", answer, header in came, expected=header, came=came)


@then("the receipt has reference and merchant of the card message")
def has_numbers_of_message(
    control: Control, merchant: Merchant, answer: Answer, judge: Judge
) -> None:
    (body,) = messages_to_acquirer(control, merchant, answer)
    for field, path in (("37 ", "pos.clearing.identifier"), ("42 ", "pos.merchantId")):
        # Twelve digits may look like a card number, and are masked then.
        came, pattern = str(answer.at(path)), element_of(body, field).replace(MASK, "*")
        judge.holds(path, answer, fnmatchcase(came, pattern), expected=pattern, came=came)


@then("the card declines")
def card_declines(verdict: CardVerdict, judge: Judge) -> None:
    came = verdict.outcome.result
    judge.same("the card's own verdict", verdict.answers[-1], expected=CardResult.DECLINED,
               came=came)  # fmt: skip


@then(
    parsers.re(r"the response to the card shows (?P<code>\d\d)(?: and (?P<taken>nothing|\S+ EUR))?")
)
def card_is_answered(verdict: CardVerdict, judge: Judge, code: str, taken: str | None) -> None:
    answer = verdict.answers[-1]
    came = answer.at("pos.clearing.authorizationIssuerCode")
    judge.same("code of the issuer", answer, expected=code, came=came)
    if taken is not None and taken.endswith("EUR"):
        judge.same("amount", answer, expected=taken, came=f"{answer.at('amount')} EUR")


@then("the card approves too", target_fixture="answer")
def card_approves(verdict: CardVerdict, judge: Judge) -> Answer:
    answer = verdict.answers[-1]
    judge.holds(
        "the card's own verdict",
        answer,
        verdict.outcome.result is CardResult.APPROVED,
        expected="the card approves",
        came=verdict.outcome.reason,
    )
    return answer


@then(parsers.parse("the payment by card is refused with {code}"), target_fixture="answer")
def card_payment_refused(verdict: CardVerdict, judge: Judge, code: str) -> Answer:
    answer = verdict.answers[-1]
    judge.same("result code", answer, expected=code, came=answer.code)
    return answer
