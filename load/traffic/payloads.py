"""Synthetic shoppers and baskets within the formats of the fields; a seed always gives the same."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import gevent
from faker import Faker

LOCALES = ("de_DE", "en_GB", "fr_FR", "es_ES", "it_IT", "nl_NL")
SHOPPERS = 120
YEARS = range(2030, 2040)
# A log-normal basket: the median is about 50, and one in a hundred is above 320.
CENTS_MU, CENTS_SIGMA = 8.5, 0.8
CENTS_LEAST, CENTS_MOST = 1_00, 2_000_00


class PayloadCard(NamedTuple):
    """A test card: its brand, number, and how many digits its security code has."""

    brand: str
    number: str
    cvv_digits: int = 3


class DecliningCard(NamedTuple):
    """A test card that is declined, the code it is declined with, and its weight in the draw."""

    card: PayloadCard
    code: str
    weight: int


# fmt: off
CARDS = (
    PayloadCard("VISA",   "4200000000000000"),
    PayloadCard("VISA",   "4111111111111111"),
    PayloadCard("VISA",   "4242424242424242"),
    PayloadCard("MASTER", "5454545454545454"),
    PayloadCard("MASTER", "5105105105105100"),
    PayloadCard("AMEX",   "377777777777770", cvv_digits=4),
)
CARD_WEIGHTS = (30, 15, 10, 25, 10, 10)
# Shares of the decline reasons as issuers publish them: insufficient funds and do not honor lead.
DECLINES = (
    DecliningCard(PayloadCard("VISA", "4200000000005108"), "800.100.203", 44),
    DecliningCard(PayloadCard("VISA", "4200000000000505"), "800.100.183", 25),
    DecliningCard(PayloadCard("VISA", "4200000000006106"), "800.100.162", 9),
    DecliningCard(PayloadCard("VISA", "4200000000005405"), "800.100.157", 8),
    DecliningCard(PayloadCard("VISA", "4200000000008201"), "800.100.153", 7),
    DecliningCard(PayloadCard("VISA", "4200000000001404"), "800.100.151", 4),
    DecliningCard(PayloadCard("VISA", "4200000000005900"), "800.100.158", 2),
    DecliningCard(PayloadCard("VISA", "4200000000004309"), "800.100.159", 1),
)
# fmt: on


class ShopperProfile(NamedTuple):
    """A shopper: the parameters of a person and an address, and a card."""

    person: Mapping[str, str]
    holder: str
    card: PayloadCard
    expiry: tuple[str, str]
    cvv: str


class Payloads:
    """Draws shoppers, baskets and references from one seed. References also contain the run."""

    def __init__(self, seed: str, shoppers: Sequence[ShopperProfile], *, run: str = "run"):
        self.random = Random(seed)
        self._prefix = f"load-{run}-{seed}".replace("/", "-")
        self._shoppers = shoppers
        self._references = 0

    def draw_shopper(self) -> ShopperProfile:
        """Return one of the shoppers."""
        return self.random.choice(self._shoppers)

    def draw_declining_card(self) -> DecliningCard:
        """Return a card that is declined, by the weights of the declines."""
        return self.random.choices(DECLINES, [row.weight for row in DECLINES])[0]

    def draw_cents(self) -> int:
        """Return the price of a basket."""
        drawn = int(self.random.lognormvariate(CENTS_MU, CENTS_SIGMA))
        return min(max(drawn, CENTS_LEAST), CENTS_MOST)

    def draw_part(self, cents: int) -> int:
        """Return all of an amount, or a part of it."""
        return cents if self.random.random() < 0.6 else self.random.randint(1, cents)

    def next_reference(self) -> str:
        """Return a merchantTransactionId that no other user or run has."""
        self._references += 1
        return f"{self._prefix}-{self._references:06d}"


def create_shoppers(seed: int, count: int = SHOPPERS) -> list[ShopperProfile]:
    """Return `count` shoppers. Creating them is slow: do it once per process.

    Others have their turn meanwhile: a master gives up a worker whose heartbeats stop for 3 s.
    """
    random = Random(seed)
    first = seed * len(LOCALES)
    fakers = [_create_faker(locale, first + number) for number, locale in enumerate(LOCALES)]
    return [_create_shopper(random, random.choice(fakers), number) for number in range(count)]


def card_parameters(shopper: ShopperProfile, card: PayloadCard | None = None) -> dict[str, str]:
    """Return the card of a shopper, or `card` in its place, as parameters."""
    used = card or shopper.card
    month, year = shopper.expiry
    return {
        "paymentBrand": used.brand,
        "card.number": used.number,
        "card.holder": shopper.holder,
        "card.expiryMonth": month,
        "card.expiryYear": year,
        "card.cvv": shopper.cvv[: used.cvv_digits],
    }


def format_amount(cents: int) -> str:
    """Return cents as an amount on the wire."""
    return f"{cents // 100}.{cents % 100:02d}"


def _create_faker(locale: str, seed: int) -> Faker:
    gevent.sleep(0)
    faker = Faker(locale)
    faker.seed_instance(seed)
    return faker


def _create_shopper(random: Random, faker: Faker, number: int) -> ShopperProfile:
    gevent.sleep(0)
    given, surname = faker.first_name()[:48], faker.last_name()[:48]
    person = {
        "customer.givenName": given,
        "customer.surname": surname,
        "customer.email": f"shopper{number}@{faker.safe_domain_name()}",
        "customer.ip": faker.ipv4_public(),
        "billing.street1": faker.street_name()[:95],
        "billing.houseNumber1": str(random.randint(1, 250)),
        "billing.city": faker.city()[:48],
        "billing.postcode": f"{random.randint(10000, 99999)}",
        "billing.country": faker.current_country_code(),
    }
    expiry = (f"{random.randint(1, 12):02d}", str(random.choice(YEARS)))
    card = random.choices(CARDS, CARD_WEIGHTS)[0]
    cvv = f"{random.randint(0, 9999):04d}"
    return ShopperProfile(person, f"{given} {surname}"[:128], card, expiry, cvv)
