"""Made-up shoppers and what they buy, within the formats of the fields. The same seed, the same."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from faker import Faker

LOCALES = ("de_DE", "en_GB", "fr_FR", "es_ES", "it_IT", "nl_NL")
SHOPPERS = 120
YEARS = range(2030, 2040)
# Most baskets are small, few are large: the median is about 50, and one in a hundred above 320.
CENTS_MU, CENTS_SIGMA = 8.5, 0.8
CENTS_LEAST, CENTS_MOST = 1_00, 2_000_00


class Card(NamedTuple):
    """A test card: its brand, number, and how many digits its security code has."""

    brand: str
    number: str
    cvv_digits: int = 3


class Decline(NamedTuple):
    """A test card that is declined, the code it is declined with, and how often it is met."""

    card: Card
    code: str
    weight: int


# fmt: off
CARDS = (
    Card("VISA",   "4200000000000000"),
    Card("VISA",   "4111111111111111"),
    Card("VISA",   "4242424242424242"),
    Card("MASTER", "5454545454545454"),
    Card("MASTER", "5105105105105100"),
    Card("AMEX",   "377777777777770", cvv_digits=4),
)
CARD_WEIGHTS = (30, 15, 10, 25, 10, 10)
# Shares among declines as issuers publish them: money and honour first, theft seldom.
DECLINES = (
    Decline(Card("VISA", "4200000000005108"), "800.100.203", 44),
    Decline(Card("VISA", "4200000000000505"), "800.100.183", 25),
    Decline(Card("VISA", "4200000000006106"), "800.100.162", 9),
    Decline(Card("VISA", "4200000000005405"), "800.100.157", 8),
    Decline(Card("VISA", "4200000000008201"), "800.100.153", 7),
    Decline(Card("VISA", "4200000000001404"), "800.100.151", 4),
    Decline(Card("VISA", "4200000000005900"), "800.100.158", 2),
    Decline(Card("VISA", "4200000000004309"), "800.100.159", 1),
)
# fmt: on


class Shopper(NamedTuple):
    """Somebody who buys: the parameters of a person and an address, and a card."""

    person: Mapping[str, str]
    holder: str
    card: Card
    expiry: tuple[str, str]
    cvv: str


class Payloads:
    """Draws shoppers, baskets and references from one seed. References name the run as well."""

    def __init__(self, seed: str, shoppers: Sequence[Shopper], *, run: str = "run"):
        self.random = Random(seed)
        self._prefix = f"load-{run}-{seed}".replace("/", "-")
        self._shoppers = shoppers
        self._references = 0

    def shopper(self) -> Shopper:
        """One of the shoppers."""
        return self.random.choice(self._shoppers)

    def decline(self) -> Decline:
        """A card that is declined, the frequent ones more often."""
        return self.random.choices(DECLINES, [row.weight for row in DECLINES])[0]

    def cents(self) -> int:
        """What a basket costs."""
        drawn = int(self.random.lognormvariate(CENTS_MU, CENTS_SIGMA))
        return min(max(drawn, CENTS_LEAST), CENTS_MOST)

    def part_of(self, cents: int) -> int:
        """Some of a sum: all of it, or a part."""
        return cents if self.random.random() < 0.6 else self.random.randint(1, cents)

    def reference(self) -> str:
        """A merchantTransactionId that nobody else has drawn."""
        self._references += 1
        return f"{self._prefix}-{self._references:06d}"


def shoppers_of(seed: int, count: int = SHOPPERS) -> list[Shopper]:
    """So many shoppers; making them takes longer than using them."""
    random = Random(seed)
    fakers = [Faker(locale) for locale in LOCALES]
    for number, faker in enumerate(fakers):
        faker.seed_instance(seed * len(LOCALES) + number)
    return [_shopper(random, random.choice(fakers), number) for number in range(count)]


def card_parameters(shopper: Shopper, card: Card | None = None) -> dict[str, str]:
    """The card of a shopper, or another card in his hands, as parameters."""
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


def amount_of(cents: int) -> str:
    """Cents as an amount on the wire."""
    return f"{cents // 100}.{cents % 100:02d}"


def _shopper(random: Random, faker: Faker, number: int) -> Shopper:
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
    return Shopper(person, f"{given} {surname}"[:128], card, expiry, cvv)
