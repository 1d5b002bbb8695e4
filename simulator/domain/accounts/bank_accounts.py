"""Bank accounts: their rules, their mandates, the day money is collected, whom shoppers pay to.

Refusals in this order: no account, IBAN, BIC, bank code, country, mandate, due date.
Source: Bank account. Choices: D-141 to D-144.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from functools import lru_cache
from hashlib import sha256

from msgspec.structs import replace

from simulator.catalogue.payment_types import PAYOUT_TYPES, REGISTRATION_TYPES, SALE_TYPES
from simulator.catalogue.results import class_of
from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.core.entities import BankDetails, Channel
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import Outcome, PaymentType
from simulator.grammar.brands import Brand
from simulator.grammar.results import DEFERRALS

NUMBER, IBAN_NAME = "bankAccount.number", "bankAccount.iban"
BANK_CODE, BIC_NAME = "bankAccount.bankCode", "bankAccount.bic"
BANK_NAME, COUNTRY = "bankAccount.bankName", "bankAccount.country"
MANDATE = "bankAccount.mandate."
MANDATE_ID, SIGNED = "bankAccount.mandate.id", "bankAccount.mandate.dateOfSignature"
DUE_DATE = "transactionDueDate"

# A mandate id has 35 characters: these three, and the 32 of the payment it is made for.
MADE_MANDATE = "SGM"
COLLECTED_AT_ONCE = frozenset(SALE_TYPES)
WITH_MANDATE = COLLECTED_AT_ONCE | frozenset(REGISTRATION_TYPES)
WAITS_FOR_ITS_DAY = "800.400.501"

# The national bank behind the accounts we make up: the central bank of the country, no real shop's.
OUR_COUNTRY, OUR_BANK, OUR_BIC = "DE", "10000000", "MARKDEF1100"
ACCOUNT_NUMBERS = 10**10
HOLDER_MIN, HOLDER_MAX = 4, 128

Sent = Mapping[str, str]


def bank_account(sent: Sent, brand: Brand, today: date) -> dict[str, str]:
    """The parameters of a bank account that passed its rules, with what lists of banks add.

    Raises Refusal. Choice: D-141.
    """
    if brand.collects and NUMBER not in sent and IBAN_NAME not in sent:
        raise Refusal("100.100.100", f"bankAccount: {brand.value} needs an account")
    found = _from_iban(sent) if IBAN_NAME in sent else {}
    _refuse_bic(sent.get(BIC_NAME))
    _refuse_other_bank(sent, found)
    if brand.collects:
        refuse_dates(sent, today)
    known = {name: value for name, value in found.items() if name not in sent}
    return {**_given(sent), **known}


def due_of(sent: Sent, brand: Brand, today: date) -> date | None:
    """The day on which a direct debit is collected, where that is a day to come. Source:
    BANK-05.
    """
    if not brand.collects or DUE_DATE not in sent:
        return None
    due = date.fromisoformat(sent[DUE_DATE])
    return due if due > today else None


def account_for(kind: str, account: Sent) -> Sent:
    """What of a registered account a payment of that type is made with: a mandate is for taking
    money. Choice: D-142.
    """
    if kind not in PAYOUT_TYPES:
        return account
    return {name: value for name, value in account.items() if not name.startswith(MANDATE)}


def with_mandate(account: Sent, kind: PaymentType, payment: str, today: date) -> dict[str, str]:
    """The account with a mandate for the payment, made by the gateway where none was sent.

    Choice: D-142.
    """
    if kind not in WITH_MANDATE:
        return dict(account)
    if any(name.startswith(MANDATE) for name in account):
        signed = {} if MANDATE_ID not in account else {SIGNED: today.isoformat()}
        return {**signed, **account}
    return {**account, MANDATE_ID: f"{MADE_MANDATE}{payment}", SIGNED: today.isoformat()}


def on_its_day(plan: AcquirerResponse, due: date, now: datetime) -> AcquirerResponse:
    """The plan of a direct debit that is collected on the day `due`: pending until it begins.

    A plan that is pending anyway stays as it is. Choice: D-144.
    """
    if class_of(plan.outcome.code) in DEFERRALS:
        return plan
    begins = datetime.combine(due, time(), UTC)
    waits = Outcome(code=WAITS_FOR_ITS_DAY, decided_by=f"collected on {due}")
    return replace(plan, outcome=waits, then=plan.outcome, then_after=begins - now)


def receiving_account(channel: Channel) -> BankDetails:
    """The merchant's account that shoppers pay to. Source: RSP-06. Choice: D-143."""
    return channel.bank_account or _generated_account(int(channel.id, 16), channel.name)


def drawn_account(key: str, name: str) -> BankDetails:
    """An account of a channel with that name; equal keys draw equal numbers. Choice: D-118."""
    return _generated_account(int(sha256(key.encode()).hexdigest(), 16), name)


def shown_account(channel: Channel) -> dict[str, str]:
    """The merchant's account as answers show it, flat."""
    details = receiving_account(channel)
    members = {name: getattr(details, name) for name in details.__struct_fields__}
    return {f"merchant.bankAccount.{name}": value for name, value in members.items() if value}


@lru_cache(maxsize=256)
def _generated_account(number: int, name: str) -> BankDetails:
    holder = name if len(name) >= HOLDER_MIN else f"{name} shop"
    return BankDetails(
        holder=holder[:HOLDER_MAX],
        number=_our_iban(number % ACCOUNT_NUMBERS),
        bic=OUR_BIC,
        country=OUR_COUNTRY,
    )


def _our_iban(number: int) -> str:
    """The IBAN of an account, its check digits by ISO 13616: a sandbox with a seed is made without
    reading the lists of banks.
    """
    account = f"{OUR_BANK}{number:010d}"
    country = "".join(str(int(letter, 36)) for letter in OUR_COUNTRY)
    return f"{OUR_COUNTRY}{98 - int(f'{account}{country}00') % 97:02d}{account}"


def _given(sent: Sent) -> dict[str, str]:
    return {name: value for name, value in sent.items() if name.startswith("bankAccount.")}


def _from_iban(sent: Sent) -> dict[str, str]:
    """Country, bank code, BIC and name of the bank of an IBAN, as far as they are known."""
    # Its lists of banks are read when the first bank account comes, not at every start.
    from schwifty import IBAN
    from schwifty.exceptions import SchwiftyException

    try:
        iban = IBAN(sent[IBAN_NAME].upper())
    except SchwiftyException:
        detail = f"{IBAN_NAME}: the check digits or the form is wrong"
        raise Refusal("100.100.101", detail) from None
    found = {
        COUNTRY: iban.country_code,
        BANK_CODE: iban.bank_code,
        BIC_NAME: str(iban.bic or ""),
        BANK_NAME: iban.bank_name or "",
    }
    return {name: value for name, value in found.items() if value}


def _refuse_bic(value: str | None) -> None:
    from schwifty import BIC
    from schwifty.exceptions import SchwiftyException

    if value is None:
        return
    try:
        BIC(value.upper())
    except SchwiftyException:
        raise Refusal("100.200.103", f"{BIC_NAME}: its form or its country is wrong") from None


def _refuse_other_bank(sent: Sent, found: Sent) -> None:
    """Raise Refusal where bank code or country contradict the IBAN."""
    code = sent.get(BANK_CODE)
    if code and BANK_CODE in found and code.upper() != found[BANK_CODE]:
        raise Refusal("100.200.103", f"{BANK_CODE}: the IBAN is of another bank")
    country = sent.get(COUNTRY)
    if country and COUNTRY in found and country.upper() != found[COUNTRY]:
        raise Refusal("100.200.100", f"{COUNTRY}: the IBAN is of {found[COUNTRY]}, got {country}")


def refuse_dates(sent: Sent, today: date) -> None:
    """Raise Refusal for a mandate that is not signed yet, or a due date that is past."""
    signed, due = sent.get(SIGNED), sent.get(DUE_DATE)
    if signed is not None and date.fromisoformat(signed) > today:
        raise Refusal("100.500.302", f"{SIGNED}: expected a day that has come, got {signed}")
    if due is not None and date.fromisoformat(due) < today:
        raise Refusal("100.500.301", f"{DUE_DATE}: expected {today} or later, got {due}")
