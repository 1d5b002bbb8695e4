"""Whether what a server returned discloses a text that it has to keep to itself."""

import re

# Ids are random: about one response in a hundred has a code of four digits in one by chance.
LONG_ID = re.compile(r"[0-9A-Za-z]{32,}")


def is_disclosed(text: str, shown: str) -> bool:
    """Return whether `text` stands in `shown`, ids of 32 characters and more left out.

    A text of 16 characters or more is looked for in ids too.
    """
    return text in (shown if len(text) >= 16 else LONG_ID.sub("", shown))


def is_shown_as(text: str, shown: str) -> bool:
    """Whether `shown` ends with `text`, of which digits may be masked, each by an asterisk.

    A run of digits in an id looks like a card number now and then, and the journal masks it.
    """
    end = shown[-len(text) :]
    signs = zip(text, end, strict=False)
    return len(end) == len(text) and all(
        came == sign or (came == "*" and sign.isdigit()) for sign, came in signs
    )
