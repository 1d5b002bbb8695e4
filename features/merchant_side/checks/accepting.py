"""Checks that a receiver accepts every genuine notification, in every form and size."""

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
    """The check that such a notification is accepted."""
    return lambda context: context.accepted(context.notify(make()))


def accepts_sent_as(change: Callable[[EncryptedNotification], EncryptedNotification]) -> RunCheck:
    """The check that a payment's notification is accepted when it is sent like this."""

    def run(context: CheckContext) -> CheckFinding:
        notification = change(context.notification(new_payment().notification(PAID)))
        return context.accepted(context.sender.post(notification))

    return run


def declined() -> Wrapper:
    """The notification of a declined payment."""
    return new_payment().notification(DECLINED)


def without_action() -> Wrapper:
    """A notification without an action, which clients expect too."""
    return new_payment().notification(PAID, None)


def with_unknown_members() -> Wrapper:
    """Members of every kind that no specification names."""
    odd = {"newThing": {"inner": [1, None, True]}, "shortId": "1234.5678.9012", "empty": ""}
    return {**with_payload(new_payment().notification(PAID), **odd), "extra": [{"more": 1.5}]}


def with_odd_letters() -> Wrapper:
    """Names as people have them: beyond ASCII, beyond the first plane, with quotes."""
    names = {"givenName": "Zoë 🧾", "surname": 'O\u2019Neill-\u0141ukasz "Ł" \\ 張'}
    return with_payload(new_payment().notification(PAID), customer=names)


def with_full_cart() -> Wrapper:
    """A notification with as many cart items as a payment may have."""
    cart = {"items": messages.full_cart()}
    return with_payload(new_payment().notification(PAID), cart=cart)


def accepts_other_format(context: CheckContext) -> CheckFinding:
    """The other format: the JSON wrapper instead of the hex text, or the reverse. Source: W1."""
    if len(context.forms) < 2:
        raise NotRequestedError("a gateway sends one of them; --body-format twice tests both")
    return context.accepted(context.notify(new_payment().notification(PAID), context.forms[1]))


def accepts_in_pieces(context: CheckContext) -> CheckFinding:
    """A body that comes in small pieces."""
    pause_s = min(PAUSE_S, context.sender.time_limit_s / PIECES / 4)
    notification = context.notification(new_payment().notification(PAID))
    return context.accepted(context.sender.post(notification, pieces=PIECES, pause_s=pause_s))


def accepts_burst(context: CheckContext) -> CheckFinding:
    """Fifty at once; each is paid afterwards, where the state can be read."""
    payments = [new_payment() for _ in range(AT_ONCE)]
    replies = context.sender.post_at_once(
        [context.notification(each.notification(PAID)) for each in payments]
    )
    return context.accepted_and_paid(payments, *replies)
