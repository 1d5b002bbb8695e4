"""The same again: a merchantTransactionId is refused or answered with the first payment, where the
channel says so (Choice: D-285); a form of the console does one thing (Choice: D-691).
"""

from collections.abc import Mapping
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from simulator.domain.core.errors import Refusal
from simulator.domain.core.hosts import Host
from simulator.domain.core.money import read_amount
from simulator.domain.core.parameters import kept
from simulator.domain.core.records import Payment, State
from simulator.domain.payments.initial import test_mode_of

_ENCODER = msgspec.json.Encoder(decimal_format="string")
REFERENCE = "merchantTransactionId"
DESCRIPTOR = "descriptor"
SENT_BEFORE = "800.110.100"
# The entity is that of the key, however it was named; the others may not be kept, as no digest.
NEVER_COMPARED = frozenset(
    {
        "entityId",
        "testMode",
        "card.cvv",
        "pos.encryptedPin.data",
        "threeDSecure.v1.mastercard.password",
        "threeDSecure.v1.visa.password",
    }
)


class TransactionKey(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The payment of a channel that has a merchantTransactionId, its id is made of both; the one
    that a request to a merchant has made, of both likewise; or the one that a form has made.
    `asked` is the digest of what the request of the first asks for, `mark` that of the request
    itself; one of before has none.
    """

    id: str
    version: int = 0
    payment: str
    asked: str = ""
    mark: str = ""


class RepeatedTransactionError(Exception):
    """A request that was sent before: `payment` is what it came to."""

    def __init__(self, payment: Payment):
        super().__init__(f"{REFERENCE}: the request was sent before")
        self.payment = payment


def key_id_of(channel: str, host: Host, sent: Mapping[str, str]) -> str | None:
    """The id of the key of what a channel is sent; None without a merchantTransactionId."""
    reference = sent.get(REFERENCE)
    if reference is None:
        return None
    return sha256(f"{channel}\0{host}\0{reference}".encode()).hexdigest()


def request_key_id(merchant: str, host: Host, mark: str) -> str:
    """The id of the key of a request to a merchant that dispatches, whatever channel is picked."""
    return sha256(f"request\0{merchant}\0{host}\0{mark}".encode()).hexdigest()


def form_key_id(payment: str, kind: str, mark: str) -> str:
    """The id of the key of a form on the page of a payment."""
    return sha256(f"form\0{payment}\0{kind}\0{mark}".encode()).hexdigest()


def digest_of(payment: Payment, sent: Mapping[str, str]) -> str:
    """The digest of what a request asks, without any secret: type, money, brand, account, a test
    mode other than the usual one, and the parameters `sent`, before the gateway itself adds any.
    """
    about = (payment.type, payment.money, payment.brand, payment.card, payment.registration)
    named = {DESCRIPTOR: sent[DESCRIPTOR]} if DESCRIPTOR in sent else {}
    known = sorted({**kept(sent), **named, **_unusual_mode(payment)}.items())
    return sha256(_ENCODER.encode((about, known))).hexdigest()


def request_of(sent: Mapping[str, str], registration: str | None, host: Host) -> str:
    """A request as the merchant has sent it, a secret, so that the same one is known again before
    anything of it is read. Codes and PINs, which may not be kept, are not in it.
    """
    named = {name: value for name, value in sent.items() if name not in NEVER_COMPARED}
    if "amount" in named:
        named["amount"] = str(read_amount(named["amount"]))
    named["testMode"] = test_mode_of(sent, host)
    return _ENCODER.encode((registration, sorted(named.items()))).decode()


def refuse_known(known: TransactionKey, first: Payment, *, mark: str, repeats: bool) -> None:
    """Judge a request, of no checkout, by its key alone. Raises RepeatedTransactionError where it
    is the one that `first` was made by, Refusal where the channel takes no other; what repeats in
    other words is found by `decide_key`.
    """
    if first.state is State.FAILED:
        return
    if not repeats:
        raise sent_before(first)
    if known.mark and known.mark == mark and first.checkout is None:
        raise RepeatedTransactionError(first)


def decide_key(
    payment: Payment,
    known: TransactionKey | None,
    first: Payment | None,
    *,
    own: TransactionKey,
    repeats: bool,
) -> TransactionKey:
    """The key that `payment` stores, `own` with the version of one that is known. A declined
    payment leaves its key free, and to the attempts of its checkout any one does: how often it is
    paid is for the checkout to say (Choice: D-130).

    Raises RepeatedTransactionError where the same request may be answered again, Refusal where
    another payment has the key.
    """
    if known is None:
        return own
    if first is None or first.state is State.FAILED or _are_of_one_checkout(payment, first):
        return replace(own, version=known.version)
    is_same = known.asked == own.asked if known.asked else _looks_the_same(payment, first)
    if repeats and is_same and payment.checkout is None and first.checkout is None:
        raise RepeatedTransactionError(first)
    raise sent_before(first)


def sent_before(first: Payment) -> Refusal:
    return Refusal(SENT_BEFORE, f"{REFERENCE}: the payment {first.id} of this channel has it")


def _are_of_one_checkout(payment: Payment, first: Payment) -> bool:
    return payment.checkout is not None and payment.checkout == first.checkout


def _looks_the_same(payment: Payment, first: Payment) -> bool:
    looks, looked = (
        (each.type, each.money, each.brand, each.card, each.registration, each.sent)
        for each in (payment, first)
    )
    return looks == looked and _unusual_mode(payment) == _unusual_mode(first)


def _unusual_mode(payment: Payment) -> dict[str, str]:
    """Its test mode, where it is not that of requests of its host that send none."""
    usual = test_mode_of({}, payment.host)
    return {} if payment.test_mode == usual else {"testMode": payment.test_mode}
