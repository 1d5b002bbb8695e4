"""Checks that a receiver takes what is genuine, whatever is in it and however it travels."""

from collections.abc import Callable

from features.merchant_side import webhook_messages as messages
from features.merchant_side.context import CheckContext, CheckFinding, NotRequestedError, RunCheck
from features.merchant_side.webhook_encryption import EncryptedNotification
from features.merchant_side.webhook_messages import (
    DECLINED,
    PAID,
    Wrapper,
    new_payment,
    with_payload,
)

AT_ONCE = 50
PIECES = 20
PAUSE_S = 0.02


def accepts(make: Callable[[], Wrapper]) -> RunCheck:
    """The check that such a notification is taken."""
    return lambda bench: bench.taken(bench.tell(make()))


def accepts_sent_as(change: Callable[[EncryptedNotification], EncryptedNotification]) -> RunCheck:
    """The check that a payment's notification is taken when it travels like this."""

    def run(bench: CheckContext) -> CheckFinding:
        letter = change(bench.letter(new_payment().told(PAID)))
        return bench.taken(bench.sender.post(letter))

    return run


def declined() -> Wrapper:
    """A payment that was declined is told of like any other."""
    return new_payment().told(DECLINED)


def without_action() -> Wrapper:
    """As clients of the field get it."""
    return new_payment().told(PAID, None)


def with_unknown_members() -> Wrapper:
    """Members of every kind that no specification names."""
    odd = {"newThing": {"inner": [1, None, True]}, "shortId": "1234.5678.9012", "empty": ""}
    return {**with_payload(new_payment().told(PAID), **odd), "extra": [{"more": 1.5}]}


def with_odd_letters() -> Wrapper:
    """Names as people have them: beyond ASCII, beyond the first plane, with quotes."""
    names = {"givenName": "Zoë 🧾", "surname": 'O\u2019Neill-\u0141ukasz "Ł" \\ 張'}
    return with_payload(new_payment().told(PAID), customer=names)


def with_full_cart() -> Wrapper:
    """As many cart items as a payment may have."""
    cart = {"items": messages.full_cart()}
    return with_payload(new_payment().told(PAID), cart=cart)


def accepts_other_format(bench: CheckContext) -> CheckFinding:
    """The JSON wrapper beside the hex text, or the other way round. Source: W1."""
    if len(bench.forms) < 2:
        raise NotRequestedError("a gateway sends one of them; --format twice judges both")
    return bench.taken(bench.tell(new_payment().told(PAID), bench.forms[1]))


def accepts_in_pieces(bench: CheckContext) -> CheckFinding:
    """A body that comes in small pieces."""
    pause_s = min(PAUSE_S, bench.sender.time_limit_s / PIECES / 4)
    letter = bench.letter(new_payment().told(PAID))
    return bench.taken(bench.sender.post(letter, pieces=PIECES, pause_s=pause_s))


def accepts_burst(bench: CheckContext) -> CheckFinding:
    """Fifty at once; each was kept, where the merchant tells what it believes."""
    payments = [new_payment() for _ in range(AT_ONCE)]
    replies = bench.sender.post_at_once([bench.letter(each.told(PAID)) for each in payments])
    return bench.taken_and_known(payments, *replies)
