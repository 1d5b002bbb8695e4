"""The lists of ISO codes that formats name. Choice: D-31."""

from functools import cache
from itertools import product


@cache
def codes_of(listed: str) -> frozenset[str]:
    """Every code of the list a format names: "currency", "country" or "country of any case"."""
    if listed == "currency":
        return _currencies()
    countries = _countries()
    return countries if listed == "country" else frozenset(_cased(countries))


def _currencies() -> frozenset[str]:
    # Imported when first asked for: both packages read their data files at import.
    import iso4217

    return frozenset(currency.code for currency in iso4217.Currency)


def _countries() -> frozenset[str]:
    import pycountry

    return frozenset(country.alpha_2 for country in pycountry.countries)


def _cased(codes: frozenset[str]) -> list[str]:
    spellings = (product(*((letter, letter.lower()) for letter in code)) for code in codes)
    return ["".join(letters) for pairs in spellings for letters in pairs]
