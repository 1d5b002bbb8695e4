"""Currencies by their numbers, as card messages name them, and their decimals. Source: ISO 4217."""

from functools import cache

# What stands for a currency that has no number.
NO_CURRENCY = "999"
USUAL_DECIMALS = 2


@cache
def number_of(currency: str) -> str:
    """The three digits of a currency; NO_CURRENCY for one that ISO 4217 does not know."""
    # Imported when first asked for: it reads its data file at import.
    import iso4217

    try:
        return f"{iso4217.Currency(currency).number:03d}"
    except ValueError:
        return NO_CURRENCY


@cache
def currency_of(number: str) -> str | None:
    """The currency with these three digits, or None."""
    import iso4217

    found = (each for each in iso4217.Currency if f"{each.number or 0:03d}" == number)
    currency = next(found, None)
    return None if currency is None else str(currency.code)


@cache
def decimals_of(currency: str) -> int:
    """The decimals of its smallest unit; two for a currency that has none in ISO 4217."""
    import iso4217

    try:
        exponent: int | None = iso4217.Currency(currency).exponent
    except ValueError:
        return USUAL_DECIMALS
    return USUAL_DECIMALS if exponent is None else exponent
