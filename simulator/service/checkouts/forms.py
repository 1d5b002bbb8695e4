"""The hosted form of a checkout: what it is opened with, and which brands it offers.

Source: Hosted payment form behaviour. Choices: D-131, D-310, D-312.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from msgspec.structs import replace

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.form_words.countries import country_names
from simulator.catalogue.form_words.languages import Language, language_of
from simulator.domain.checkouts.checkouts import LIFETIME, Checkout, is_over, registrations_in
from simulator.domain.checkouts.forms import chosen_brands, create_form_entry
from simulator.domain.core.entities import BrandsOnOffer
from simulator.domain.core.errors import UnknownCheckoutError
from simulator.domain.core.hosts import Host
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Registration
from simulator.domain.core.transact import transact
from simulator.domain.payments.redirects import RESULT_URL
from simulator.grammar.brands import Brand
from simulator.service.checkouts.form_capabilities import NoOpenCheckoutError, issue_capability
from simulator.service.payments.contexts import context_of
from simulator.service.payments.dispatched import brands_taken
from simulator.service.payments.responses import ResponsePorts

# What a form shows of a checkout, and does not ask for.
SHOWN = ("amount", "currency", "paymentType")


class FormWish(NamedTuple):
    """The words a form wants: in which language, and whether with the names of countries."""

    locale: str = ""
    has_countries: bool = False


def checkout_of_form(ports: ResponsePorts, identity: str, host: Host) -> Checkout:
    """The checkout that a form on this host is of. Raises UnknownCheckoutError."""
    checkout = ports.store.get(Checkout, identity)
    if checkout is None or checkout.host != host:
        raise UnknownCheckoutError()
    return checkout


def open_form(ports: ResponsePorts, checkout: Checkout, wish: FormWish) -> dict[str, Any]:
    """What a form of a checkout is made from, with a capability of its own.

    Raises UnknownCheckoutError where the checkout may no longer be used.
    """
    try:
        capability = issue_capability(ports, checkout.id)
    except NoOpenCheckoutError as error:
        raise UnknownCheckoutError() from error
    offer = _brands_on_offer(ports, checkout)
    ports.journal.append_step(create_form_entry(checkout.id, ports.clock.now(), offer))
    return {
        "capability": capability,
        "brands": list(offer.brands),
        "active": offer.active,
        "override": offer.override,
        **{name: checkout.sent[name] for name in SHOWN if name in checkout.sent},
        RESULT_URL: checkout.sent.get(RESULT_URL, ""),
        # What is in a list or a map has no field in the form.
        "fixed": sorted(name for name in checkout.sent if "[" not in name),
        "prefilled": {"card.holder": checkout.sent.get("card.holder", "")},
        "registrations": _stored_accounts(ports, checkout),
        "brandRows": {row.value: _brand_row(row) for row in BRANDS.values()},
        **_words(language_of(wish.locale), wish),
        "expiresIn": _seconds_left(checkout, ports.clock.now()),
    }


def set_brands(ports: ResponsePorts, identity: str, offer: BrandsOnOffer) -> BrandsOnOffer:
    """Set the brands that forms of a checkout offer from now on. Raises NoOpenCheckoutError."""

    def change() -> BrandsOnOffer:
        checkout = ports.store.get(Checkout, identity)
        if checkout is None or is_over(checkout, ports.clock.now()):
            raise NoOpenCheckoutError("no checkout that may still be used has the id")
        ports.store.commit(unit_of(replace(checkout, offer=offer)))
        return offer

    return transact(ports.store, change)


def _brands_on_offer(ports: ResponsePorts, checkout: Checkout) -> BrandsOnOffer:
    channel = context_of(ports, checkout.stamp, checkout.host).channel
    chosen = chosen_brands(checkout, channel)
    return chosen or BrandsOnOffer(brands=brands_taken(ports, checkout, checkout.sent))


def _words(language: Language, wish: FormWish) -> dict[str, Any]:
    countries = country_names(language.row) if wish.has_countries else ()
    return {
        "countries": [list(pair) for pair in countries],
        "locale": language.row.tag,
        "direction": language.row.direction,
        "words": dict(language.words),
    }


def _stored_accounts(ports: ResponsePorts, checkout: Checkout) -> list[dict[str, str]]:
    """The stored accounts a checkout offers, those removed meanwhile left out."""
    found = (ports.store.get(Registration, each) for each in registrations_in(checkout))
    return [_stored_account(each) for each in found if each is not None and not each.removed_at]


def _stored_account(registration: Registration) -> dict[str, str]:
    shown = {"id": registration.id, "brand": registration.brand}
    card = registration.card
    if card is None:
        account: Mapping[str, str] = registration.account
        number = account.get("bankAccount.iban") or account.get("bankAccount.number") or ""
        return {**shown, "last4Digits": number[-4:]}
    return {
        **shown,
        "last4Digits": card.last4Digits,
        "holder": card.holder or "",
        "expiryMonth": card.expiryMonth,
        "expiryYear": card.expiryYear,
    }


def _brand_row(row: Brand) -> dict[str, Any]:
    return {
        "name": row.name,
        "account": row.account,
        "ranges": [list(pair) for pair in row.ranges],
        "lengths": list(row.lengths),
        "cvv": row.cvv_length,
        "luhn": row.luhn,
        "detected": row.detected,
        "redirects": row.redirects,
    }


def _seconds_left(checkout: Checkout, now: datetime) -> int:
    return max(0, int((checkout.created_at + LIFETIME - now).total_seconds()))
