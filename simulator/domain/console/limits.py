"""How many of its things the console keeps."""

from simulator.catalogue.console_words import plain
from simulator.domain.core.errors import InvalidInputError


def refuse_one_more(where: str, count: int, most: int, expected: str = "") -> None:
    """Raise InvalidInputError where there are as many as there may be; `expected` says how many, in
    other words than usual.
    """
    if count >= most:
        expected = expected or plain("errors.most", most=most)
        raise InvalidInputError(where, expected, plain("errors.one_more"))
