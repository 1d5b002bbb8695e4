"""What a shopper may experience: each story is a row, and so is what the shop sells."""

from decimal import Decimal
from typing import NamedTuple


class ShopStory(NamedTuple):
    """One way a payment may go.

    `do` is for the shopper, `look` for the trainer. `cards` are numbers to type; `behaviour` is
    armed at the acquirer for this order alone. A stored card is one the shop kept from an earlier
    visit; an abandoned order is one whose shopper never comes back.
    """

    name: str
    title: str
    do: str
    look: str
    cards: tuple[str, ...] = ()
    brands: str = "VISA MASTER AMEX"
    behaviour: str = ""
    is_stored: bool = False
    is_abandoned: bool = False


class Article(NamedTuple):
    """Something to buy."""

    name: str
    title: str
    price: Decimal


VISA, AMEX = "4200000000000000", "378282246310005"
STORIES = (
    ShopStory("approved", "The payment is approved",
          "Type the card and press Pay now.",
          "The shop prepares a checkout and reads its result. None of its calls has a card number.",
          cards=(VISA, AMEX)),
    ShopStory("declined", "The issuer declines",
          "Type the card and press Pay now. This account does not hold enough money.",
          "A decline leads back to the shop too: the page says nothing about the result, so the "
          "shop reads it.",
          cards=("4200000000005108",)),
    ShopStory("challenge", "The bank asks the shopper",
          "Choose Master, type the card and press Pay now. The bank's page shows the code.",
          "3-D Secure: the payment stays pending until the bank has its answer.",
          cards=("5200000000000064",), brands="MASTER VISA"),
    ShopStory("frictionless", "The bank knows the shopper",
          "Choose Master, type the card and press Pay now. The bank asks for nothing.",
          "3-D Secure without a challenge: the trace shows the messages the shopper never saw.",
          cards=("5200000000000056",), brands="MASTER VISA"),
    ShopStory("stored", "One click with a stored card",
          "Press Pay now below the stored card; nothing has to be typed.",
          "The checkout names a registration that the shop kept from an earlier visit.",
          is_stored=True),
    ShopStory("redirect", "The shopper pays at a bank",
          "Press the button of the form, and decide on the page of the bank.",
          "The browser leaves the shop and comes back; only the result that the shop reads counts.",
          brands="GIROPAY IDEAL"),
    ShopStory("abandoned", "The shopper never comes back",
          "Type the card and press Pay now. The window closes before the shop's page appears.",
          "The webhook reports it; after 29 minutes the gateway calls the shop's page as well.",
          cards=(VISA,), is_abandoned=True),
    ShopStory("timeout", "The acquirer does not answer in time",
          "Type the card and press Pay now.",
          "A script at the gateway lets the acquirer time out, for this order alone.",
          cards=(VISA,), behaviour="acquirer-timeout"),
)  # fmt: skip
ARTICLES = (
    Article("teapot", "Teapot, 1 l", Decimal("42.00")),
    Article("cups", "Two cups", Decimal("19.50")),
    Article("tea", "Green tea, 250 g", Decimal("12.00")),
)
STYLES = ("card", "plain", "logos", "none")
LOCALES = (
    ("en", "English"), ("ar", "العربية"), ("bg", "Български"), ("cn", "中文"), ("cz", "Čeština"),
    ("de", "Deutsch"), ("dk", "Dansk"), ("es", "Español"), ("fi", "Suomi"), ("fr", "Français"),
    ("gr", "Ελληνικά"), ("hu", "Magyar"), ("it", "Italiano"), ("ja", "日本語"), ("ko", "한국어"),
    ("nl", "Nederlands"), ("no", "Norsk"), ("pl", "Polski"), ("pt", "Português"),
    ("ro", "Română"), ("ru", "Русский"), ("se", "Svenska"), ("sk", "Slovenčina"),
    ("sl", "Slovenščina"), ("tr", "Türkçe"),
)  # fmt: skip
