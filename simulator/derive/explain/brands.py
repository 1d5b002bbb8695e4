"""Explain a brand, by its value or another name of it; `paymentBrand` lists all of them."""

from collections.abc import Iterator

from simulator.catalogue.brands import BRANDS
from simulator.derive.explain.lines import labeled
from simulator.derive.explain.subject import Subject
from simulator.grammar.brands import CARD, Brand
from simulator.grammar.choices import Choices

PARAMETER = "paymentBrand"
SYNCHRONOUS, REDIRECTED = "synchronous", "redirects the shopper"


def explain_brand(name: str, _choices: Choices) -> Iterator[str]:
    """The row of a brand; for `paymentBrand` every brand, by the kind of its account."""
    if name == PARAMETER:
        yield f"{PARAMETER}  (brands: {len(BRANDS)}, by the kind of account)"
        for kind in dict.fromkeys(row.account for row in BRANDS.values()):
            yield from labeled(kind, "; ".join(_brands_of(kind)))
        return
    for row in BRANDS.values():
        if name in (row.value, *row.aliases):
            yield from _lines(row)


def _brands_of(kind: str) -> Iterator[str]:
    for redirects in (False, True):
        rows = [row for row in BRANDS.values() if (row.account, row.redirects) == (kind, redirects)]
        if rows:
            yield f"{_way(rows[0])}: {', '.join(row.value for row in rows)}"


def _way(row: Brand) -> str:
    return REDIRECTED if row.redirects else SYNCHRONOUS


def _lines(row: Brand) -> Iterator[str]:
    collected = ", collects by a mandate" if row.collects else ""
    yield f"{row.value}  (brand: {row.account}, {_way(row)}{collected})"
    if row.aliases:
        # By these it is found; no request may have them.
        yield from labeled("known as", f"{', '.join(row.aliases)}; requests name {row.value} only")
    also = [kind for kind in row.field_types if kind not in row.types]
    in_field = f"; in profile field also {', '.join(also)}" if also else ""
    yield from labeled("types", ", ".join(row.types) + in_field)
    if row.account != CARD:
        return
    ranges = ", ".join(first if first == last else f"{first}-{last}" for first, last in row.ranges)
    yield from labeled("numbers", f"begin with {ranges}" if ranges else "of any range")
    digits = ", ".join(map(str, row.lengths))
    check = "with a check digit" if row.luhn else "without a check digit"
    yield from labeled("digits", f"{digits}, {check}; security code of {row.cvv_length}")
    yield from labeled("detected", "from the card number" if row.detected else "never; name it")
    if row.scheme:
        yield from labeled("3-D Secure", f"parameters of the scheme {row.scheme}")


BRANDS_OF_PAYMENTS = Subject(
    kind="a brand",
    example="EPS",
    page="docs/reference/profiles.md",
    names=lambda: BRANDS,
    explain=explain_brand,
)
