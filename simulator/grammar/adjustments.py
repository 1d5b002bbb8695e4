"""Adjustments: what the specification changes in a request instead of refusing it, as rows."""

from typing import NamedTuple


class Truncated(NamedTuple):
    """`name` is cut after `length` characters."""

    id: str
    name: str
    length: int


class Ignored(NamedTuple):
    """`name` counts for nothing where `when` is sent."""

    id: str
    name: str
    when: str


class Defaulted(NamedTuple):
    """`name`, a field of a list, has `value` in every item that does not say another."""

    id: str
    name: str
    value: str


class NotOnward(NamedTuple):
    """`name` stays with the gateway: the acquirer never receives it."""

    id: str
    name: str


class WithBrand(NamedTuple):
    """`name` travels to the acquirer with payments of these brands alone."""

    id: str
    name: str
    brands: tuple[str, ...]


class NotScreened(NamedTuple):
    """`name` takes no part in risk checks."""

    id: str
    name: str
