"""Whether what a server returned discloses a text that it has to keep to itself."""

import re

# Ids are random: about one response in a hundred has a code of four digits in one by chance.
LONG_ID = re.compile(r"[0-9A-Za-z]{32,}")


def is_disclosed(text: str, shown: str) -> bool:
    """Return whether `text` stands in `shown`, ids of 32 characters and more left out.

    A text of 16 characters or more is looked for in ids too.
    """
    return text in (shown if len(text) >= 16 else LONG_ID.sub("", shown))
