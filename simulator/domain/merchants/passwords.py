"""What no password is: a secret of another kind that was put in its place.

Seals bind the id of their record alone. In an edited snapshot the sealed number of a card, or the
sealed form that a shopper filled in, would open in the place of a password, and the gateway sends
one to the SFTP server named beside it. Choices: D-420, D-620.
"""

import re

from simulator.domain.core.errors import InvalidInputError

CARD_NUMBER = re.compile("[0-9]{12,19}")
FILLED_FORM = r"\[\{"
PASSWORD = re.compile(rf"(?!{CARD_NUMBER.pattern}\Z)(?!{FILLED_FORM}).*", re.DOTALL)


def refuse_other_secret(password: str, where: str) -> None:
    """Raise InvalidInputError for what may be the number of a card, or a form with one."""
    if PASSWORD.fullmatch(password) is None:
        raise InvalidInputError(where, "a password, which is no card number and no JSON", "one")
