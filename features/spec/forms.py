"""Examples of every form that length and characters alone do not describe: good ones and bad ones.

Each example has a name, which becomes part of the address of its boundary case. Values are chosen
so that the specification alone decides them; what it leaves open is not among them.
"""

from collections.abc import Mapping

from features.spec.request_forms import REQUEST_FORMS
from features.spec.value_forms import ValueForm, codes, wrong_timestamps

# Fields whose value means something, so that no row of the same letter will do.
MEANINGS: Mapping[str, str] = {
    "paymentBrand": "brand",
    "card.number": "card number",
    "card.cvv": "security code",
    "bankAccount.country": "country",
    "billing.country": "uppercase country",
    "shipping.country": "country",
    "merchant.country": "two letters",
    "cart.payments[n].currency": "currency letters",
    "threeDSecure.merchant.country": "country of three letters",
    "customer.email": "email",
    "shipping.customer.email": "email",
    "cart.items[n].recipient.email": "short email",
    "customer.browser.language": "language",
    "shipping.customer.browser.language": "language",
    "customer.browser.screenHeight": "pixels",
    "shipping.customer.browser.screenHeight": "pixels",
    "customer.browser.screenWidth": "pixels",
    "shipping.customer.browser.screenWidth": "pixels",
    "customer.browser.timezone": "minutes",
    "shipping.customer.browser.timezone": "minutes",
    "customer.browser.screenColorDepth": "bits",
    "shipping.customer.browser.screenColorDepth": "bits",
    "customer.browser.challengeWindow": "window size",
    "shipping.customer.browser.challengeWindow": "window size",
    "threeDSecure.merchant.url": "long url",
    "pos.encryptedPin.data": "PIN block",
    "pos.iccDataRequest": "chip data",
    "entityId": "entity",
    "recurringMigration.requestTimestamp": "timestamp with a zone",
    "job.month": "months",
    "job.dayOfMonth": "days of a month",
    "job.hour": "hours",
    "job.minute": "minutes or seconds",
    "job.second": "minutes or seconds",
    "job.startDate": "timestamp to come",
    "job.endDate": "timestamp to come",
}


def url_of(length: int) -> str:
    """A URL of exactly `length` characters, at least 24."""
    return "https://shop.example/".ljust(length, "a")


def email_of(length: int) -> str:
    """An email address of exactly `length` characters, from 72 to 132: its name part has 64."""
    return "a" * 64 + "@" + "b" * (length - 68) + ".de"


# fmt: off
FORMS: Mapping[str, ValueForm] = {
    **REQUEST_FORMS,
    "amount": ValueForm(
        good={"shortest": "1", "without-decimals": "92", "two-decimals": "92.00",
              "longest-integer": "9999999999", "longest": "9999999999.99"},
        bad={"one-decimal": "92.0", "three-decimals": "92.000", "too-long": "10000000000",
             "too-long-with-decimals": "10000000000.00", "negative": "-20.20", "comma": "92,00",
             "no-integer": ".50", "dot-alone": "92.", "letter": "9a", "exponent": "1e2",
             "leading-blank": " 92.00", "trailing-newline": "92.00\n", "plus": "+92.00",
             "other-digits": "\N{ARABIC-INDIC DIGIT NINE}2.00"}),
    "two decimals": ValueForm(
        good={"shortest": "0.00", "longest": "9999999999.99"},
        bad={"without-decimals": "92", "one-decimal": "92.0", "three-decimals": "92.000",
             "too-long": "10000000000.00", "negative": "-1.00", "comma": "92,00",
             "no-integer": ".50", "letter": "a.00", "trailing-newline": "92.00\n"}),
    "quantity": ValueForm(
        good={"shortest": "1", "longest-integer": "999999999999", "one-decimal": "1.5",
              "longest": "999999999999.999"},
        bad={"too-long": "1000000000000", "four-decimals": "1.5555", "negative": "-1",
             "comma": "1,5", "letter": "1a", "dot-alone": "1."}),
    "percentage": ValueForm(
        good={"least": "0", "most": "100", "two-decimals": "19.25", "longest": "100.00"},
        bad={"above": "100.01", "far-above": "101", "negative": "-1", "three-decimals": "1.255",
             "letter": "1a", "too-long": "0100.00"}),
    "timestamp": ValueForm(
        good={"ordinary": "2026-01-31 13:07:09", "last-second": "2026-12-31 23:59:59"},
        bad=wrong_timestamps("2026-01-31")),
    "date": ValueForm(
        good={"ordinary": "2099-12-31", "leap-day": "2096-02-29"},
        bad={"no-such-day": "2026-02-30", "no-leap-day": "2026-02-29", "month-13": "2026-13-01",
             "day-00": "2026-01-00", "day-first": "31-01-2026", "one-digit-month": "2026-1-31",
             "slashes": "2026/01/31", "trailing-newline": "2099-12-31\n", "letter": "2026-0a-01",
             "with-a-time": "2026-01-31 10:00:00"}),
    "01-12": codes(1, 12),
    "01-08": codes(1, 8),
    "01-09": codes(1, 9),
    "01-04": codes(1, 4),
    "year": ValueForm(
        good={"ordinary": "2099"},
        bad={"21st-hundred": "2134", "18th-hundred": "1899", "two-digits": "34",
             "too-long": "20340", "letter": "203a", "trailing-newline": "2099\n"}),
    "iban": ValueForm(
        good={"shortest": "NO9386011117947", "ordinary": "DE89370400440532013000",
              "longest": "MT84MALT011000012345MTLCAST001S"},
        bad={"too-short": "NO938601111794", "too-long": "MT84MALT011000012345MTLCAST001SX",
             "digits-first": "1289370400440532013000",
             "letters-for-check": "DEAA370400440532013000",
             "blank": "DE89 3704 0044 0532 0130 00"}),
    "bic": ValueForm(
        good={"eight": "MARKDEF1", "eleven": "MARKDEF1100"},
        bad={"seven": "MARKDEF", "nine": "MARKDEF11", "ten": "MARKDEF110", "twelve": "MARKDEF11000",
             "wrong-character": "MARKDEF!"}),
    "base64 of 28": ValueForm(
        good={"exact": "AAABBWFlmQAAAABjRWWZEEFgFz8=", "unpadded": "AAABBWFlmQAAAABjRWWZEEFgFz8+"},
        bad={"too-short": "AAABBWFlmQAAAABjRWWZEEFgFw=",
             "too-long": "AAABBWFlmQAAAABjRWWZEEFgFz8+=",
             "wrong-character": "AAABBWFlmQAAAABjRWWZEEFgFz!="}),
    "base64 of 64": ValueForm(
        good={"exact": "Q0FWVg/+" * 8},
        bad={"too-short": "Q0FWVg/+" * 7 + "Q0FWVg/", "too-long": "Q0FWVg/+" * 8 + "A",
             "wrong-character": "Q0FWVg/+" * 7 + "Q0FWVg/!"}),
    "transaction id": ValueForm(
        good={"exact": "f25084f0-5b16-4c0a-ae5d-b24808a95e4b"},
        bad={"too-long": "f" * 101}),
    "version": ValueForm(
        good={"first": "1.0.2", "second": "2.2.0", "third": "2.1.0"},
        bad={"too-high": "3.0.0", "too-low": "0.1.0", "two-parts": "2.2", "four-parts": "2.2.0.0",
             "letter": "2.a.0"}),
    "phone": ValueForm(
        good={"shortest": "1", "every-sign": "+49 (0)30/123-45.6", "longest": "1" * 25},
        bad={"too-long": "1" * 26, "hyphen-first": "-123", "letter": "+49a", "question": "?123"}),
    "url": ValueForm(
        good={"ordinary": "https://shop.example/item?id=1"},
        bad={"no-url": "no url at all"}),
    "callback": ValueForm(
        good={"ordinary": "https://shop.example/result?order=1", "longest": url_of(2048)},
        bad={"too-short": "http:", "too-long": url_of(2049)}),
    "long url": ValueForm(
        good={"ordinary": "https://shop.example/", "longest": url_of(2048)},
        bad={"too-long": url_of(2049)}),
    "latitude": ValueForm(
        good={"shortest": "5.1", "longest": "52.12345678", "south": "-33.86882"},
        bad={"three-digits": "152.5", "nine-decimals": "52.123456789", "no-decimals": "52",
             "letter": "5a.1"}),
    "longitude": ValueForm(
        good={"shortest": "5.1", "longest": "179.12345678", "west": "-70.64827"},
        bad={"four-digits": "1179.5", "nine-decimals": "52.123456789", "no-decimals": "52",
             "letter": "5a.1"}),
    "country or number": ValueForm(
        good={"letters": "DE", "digits": "276"},
        bad={"one-letter": "D", "three-letters": "DEU", "two-digits": "27", "four-digits": "2767",
             "mixed": "D1"}),
    "currency": ValueForm(
        good={"euro": "EUR", "pound": "GBP"},
        bad={"lower-case": "eur", "two-letters": "EU", "four-letters": "EURO", "digits": "978",
             "not-in-the-list": "QQQ", "trailing-newline": "EUR\n"}),
    "currency letters": ValueForm(
        good={"euro": "EUR"},
        bad={"two-letters": "EU", "four-letters": "EURO", "digits": "978"}),
    "country": ValueForm(
        good={"ordinary": "DE"},
        bad={"one-letter": "D", "three-letters": "DEU", "digit": "D1", "not-in-the-list": "QQ"}),
    "uppercase country": ValueForm(
        good={"ordinary": "DE"},
        bad={"one-letter": "D", "three-letters": "DEU", "digit": "D1", "not-in-the-list": "QQ",
             "lower-case": "de"}),
    "two letters": ValueForm(
        good={"ordinary": "DE"},
        bad={"three-letters": "DEU", "digit": "D1"}),
    "country of three letters": ValueForm(
        good={"ordinary": "DEU"},
        bad={"four-letters": "DEUT", "digit": "DE1"}),
    "brand": ValueForm(
        good={"ordinary": "VISA"},
        bad={"too-long": "V" * 33, "hyphen": "VI-SA", "blank": "VI SA"}),
    "card number": ValueForm(
        good={"shortest": "676100000006", "longest": "6799998900000060018"},
        bad={"too-short": "67610000000", "too-long": "67999989000000600180",
             "letter": "67610000000a", "blank": "6761 3010 0099 3772",
             "other-digits": "67610000000\N{ARABIC-INDIC DIGIT SIX}"}),
    "security code": ValueForm(
        good={"shortest": "123"},
        bad={"too-short": "12", "too-long": "12345", "letter": "12a", "blank": "1 3"}),
    "PIN block": ValueForm(
        good={"eight-bytes": "1B9C1845EB993A7A",
              "sixteen-bytes": "A912150391AB65A67E52883D81CE2D15"},
        bad={"too-long": "A" * 2049, "wrong-character-1": "1B9C1845EB993A7!",
             "wrong-character-2": "1B9C1845EB993A7#"}),
    "chip data": ValueForm(
        good={"one-tag": "9A03261122", "two-tags": "9A032611229F36020001",
              "small-letters": "9a03261122"},
        bad={"too-long": "9A03261122" + "A" * 2039}),
    "email": ValueForm(
        good={"shortest": "a@b.de", "longest": email_of(128)},
        bad={"too-short": "a@b.d", "too-long": email_of(129)}),
    "short email": ValueForm(
        good={"ordinary": "a@b.de", "longest": "a" * 54 + "@b.de" + "s"},
        bad={"too-long": "a" * 55 + "@b.des"}),
    "language": ValueForm(
        good={"ordinary": "en", "longest": "ast-Latn"},
        bad={"too-long": "ast-Latn1"}),
    "pixels": ValueForm(
        good={"shortest": "1", "ordinary": "1080", "longest": "100000"},
        bad={"too-long": "1000000"}),
    "minutes": ValueForm(
        good={"zero": "0", "ahead": "-720", "behind": "300"},
        bad={"too-long": "100000"}),
    "bits": ValueForm(
        good={"one-digit": "8", "two-digits": "24"},
        bad={"too-long": "240", "letter": "a"}),
    "window size": ValueForm(
        good={"smallest": "01", "largest": "05"},
        bad={"too-long": "005", "letter": "0a"}),
    "free": ValueForm(
        good={"ordinary": "0123456789"},
        bad={}),
}
# fmt: on
