"""What has to be there before a request of the workbench is sent again elsewhere: the payments, the
checkout, the stored card that it names. A story makes them by requests, a scenario by sentences.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from scenarios.story import SHOPPER, literal_text
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.checkouts.checkouts import Checkout
from simulator.domain.console.recording import NUMBER_OF_BRAND, TEST_VALUES, storable
from simulator.domain.core.background import Aside
from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import Payment, Registration, State
from simulator.domain.payments.trees import top_of, tree_below
from simulator.grammar.payment_types import PaymentEffect

# A story is for people: so many steps make what was there before, with so many characters in all.
STEPS_MAX, CHARACTERS_MAX = 50, 32 * 1024
PAYMENTS = "v1/payments"
NOUNS = {"stored": "stored card"}
MADE = frozenset(State) - {State.OPEN, State.PENDING, State.FAILED}
INITIAL = {
    PaymentEffect.AUTHORIZATION: "an authorized payment of {money}",
    PaymentEffect.SALE: "a debit of {money}",
    PaymentEffect.CREDIT: "a credit of {money}",
}
# What refers to a payment, by the name of that.
REFERRING = {
    (PaymentEffect.CAPTURE, "payment"): "{money} of it is captured",
    (PaymentEffect.REFUND, "payment"): "{money} of it is refunded",
    (PaymentEffect.REFUND, "capture"): "{money} of the capture is refunded",
    (PaymentEffect.REVERSAL, "payment"): "it is reversed",
}
# What a payment has that waits for its shopper.
WITH_SHOPPER = "shopperResultUrl"


class Beginning(NamedTuple):
    """A request that makes one of them, kept under `name`; `sentence` is empty where the suite has
    none for it.
    """

    name: str
    path: str
    form: Mapping[str, str]
    sentence: str
    is_of_shopper: bool = False


class Beginnings(NamedTuple):
    """All of them in order, and their names by the ids they have now. Empty `steps` are of a
    request that needs nothing; `is_known` says whether each can be made.
    """

    steps: tuple[Beginning, ...] = ()
    names: Mapping[str, str] = {}
    is_known: bool = True

    @property
    def sentences(self) -> list[str] | None:
        """How the suite gives them; None where it cannot."""
        found = [each.sentence for each in self.steps]
        return found if all(found) else None

    def named(self, text: str, form: str) -> str:
        """A text with the names of these in place of their ids, each as `form` says."""
        for identity, name in self.names.items():
            text = text.replace(identity, form.format(name))
        return text


def beginnings_of(ports: HasStore, texts: Iterable[str], aside: Aside) -> Beginnings:
    """What a request needs that has these texts in its path and its parameters. It is read here,
    and masked and written down aside.
    """
    found = Beginnings()
    for text in texts:
        if text in found.names:
            continue
        more = _beginnings_of(ports, text, found, aside)
        if more is None:
            return found._replace(is_known=False)
        found = more
    return found


def _beginnings_of(
    ports: HasStore, text: str, found: Beginnings, aside: Aside
) -> Beginnings | None:
    store = ports.store
    if (registration := store.get(Registration, text)) is not None:
        return aside(_with_registration, registration, found)
    if (payment := store.get(Payment, text)) is not None:
        return aside(_with_tree, _done(ports, top_of(ports, payment)), text, found)
    if (checkout := store.get(Checkout, text)) is not None:
        paid = None if checkout.attempt is None else store.get(Payment, checkout.attempt)
        return aside(_with_checkout, checkout, paid, found)
    return found


def _has_room(found: Beginnings, *sent: Mapping[str, str]) -> bool:
    """Whether as many steps more may be made of these parameters."""
    forms = [*(each.form for each in found.steps), *sent]
    characters = sum(len(name) + len(text) for form in forms for name, text in form.items())
    return len(forms) <= STEPS_MAX and characters <= CHARACTERS_MAX


def _with(found: Beginnings, identity: str, noun: str, step: Beginning) -> Beginnings:
    count = sum(each.name.partition("_")[0] == noun for each in found.steps)
    name = f"{noun}_{count + 1}" if count else noun
    steps = (*found.steps, step._replace(name=name))
    return found._replace(steps=steps, names={**found.names, identity: name})


def _with_registration(registration: Registration, found: Beginnings) -> Beginnings | None:
    card = _card_of(registration.brand)
    if not _has_room(found, registration.sent):
        return None
    if registration.card is None or registration.removed_at or registration.agreement or not card:
        return None
    sent = storable(registration.sent)
    is_plain = registration.brand == "VISA" and not sent
    sentence = "a stored card" if is_plain else ""
    step = Beginning("", "v1/registrations", {**card, **sent}, sentence)
    return _with(found, registration.id, "stored", step)


def _with_checkout(
    checkout: Checkout, paid: Payment | None, found: Beginnings
) -> Beginnings | None:
    if not _has_room(found, checkout.sent):
        return None
    sent = storable(checkout.sent)
    is_plain = sent.keys() == {"paymentType", "amount", "currency"} and sent["paymentType"] == "DB"
    sentence = f"a checkout for {sent['amount']} {sent['currency']}" if is_plain else ""
    step = Beginning("", "v1/checkouts", sent, sentence)
    prepared = _with(found, checkout.id, "checkout", step)
    if checkout.attempt is None:
        return prepared
    if paid is None or not _is_made_of_card(paid) or paid.money is None:
        return None
    path = f"v1/checkouts/{{{prepared.names[checkout.id]}}}/payment"
    pays = Beginning("", path, _card_of(paid.brand), "", is_of_shopper=True)
    return _with(prepared, paid.id, "payment", pays)


def _with_tree(done: Sequence[Payment], payment: str, found: Beginnings) -> Beginnings | None:
    """With what was done of the tree of a payment: what else refers to it decides what is still
    open of it.
    """
    if not _has_room(found, *(each.sent for each in done)):
        return None
    for each in done:
        step = _step_of(each, found)
        if step is None:
            return None
        found = _with(found, each.id, step.name, step)
    return found if payment in found.names else None


def _done(ports: HasStore, top: Payment) -> list[Payment]:
    """What was done of a tree in order; what was declined changes nothing but itself. Of one that
    is too long it has enough to see that.
    """
    tree = (each for each in tree_below(ports, top) if each.state in MADE or each is top)
    return sorted(islice(tree, STEPS_MAX + 1), key=lambda each: each.created_at)


def _step_of(payment: Payment, found: Beginnings) -> Beginning | None:
    effect, sent = PAYMENT_TYPES[payment.type.value].effect, storable(payment.sent)
    money = f"{payment.money.amount} {payment.money.currency}" if payment.money else ""
    form = {"paymentType": payment.type.value, **_amount_of(payment), **sent}
    if payment.referenced is None:
        if effect not in INITIAL or not _is_made_of_card(payment):
            return None
        sentence = "" if sent else INITIAL[effect].format(money=money)
        return Beginning("payment", PAYMENTS, {**form, **_card_of(payment.brand)}, sentence)
    parent = found.names.get(payment.referenced)
    if parent is None or payment.state not in MADE or payment.dispute:
        return None
    sentence = "" if sent else REFERRING.get((effect, parent), "").format(money=money)
    return Beginning(effect.value.split()[0], f"{PAYMENTS}/{{{parent}}}", form, sentence)


def _is_made_of_card(payment: Payment) -> bool:
    """Whether a request with a test card alone makes such a payment."""
    others = (payment.registration, payment.schedule, payment.agreement, payment.dispute)
    is_simple = payment.state in MADE and payment.card is not None and not any(others)
    has_shopper = WITH_SHOPPER in payment.sent and payment.checkout is None
    return is_simple and not has_shopper and bool(_card_of(payment.brand))


def _amount_of(payment: Payment) -> dict[str, str]:
    if payment.money is None:
        return {}
    return {"amount": f"{payment.money.amount}", "currency": payment.money.currency}


def _card_of(brand: str | None) -> dict[str, str]:
    """A published test card of a brand; none where it has none."""
    number = NUMBER_OF_BRAND.get(brand or "")
    if brand is None or number is None:
        return {}
    return {
        "paymentBrand": brand,
        "card.number": number,
        "card.holder": "Jane Jones",
        "card.expiryMonth": "05",
        "card.expiryYear": "2034",
        "card.cvv": "1234" if brand == "AMEX" else TEST_VALUES["card.cvv"],
    }


def step_of(beginning: Beginning) -> dict[str, Any]:
    """The step of a story that makes it."""
    noun = NOUNS.get(beginning.name, beginning.name.partition("_")[0])
    say, by = f"Before the request there is a {noun}.", {}
    if beginning.is_of_shopper:
        say, by = "The shopper pays in the checkout.", {"by": SHOPPER}
    form = {name: literal_text(text) for name, text in beginning.form.items()}
    return {
        "say": say,
        "call": {"path": beginning.path, **by, "form": form},
        "expect": {"status": 200},
        "keep": {beginning.name: "id"},
    }
