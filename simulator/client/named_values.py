"""What stands behind a name in a text: in a form, a header, an object of JSON, XML, or quoted.

For masking: the value of a secret stays one in whatever notation it was typed into a wrong field.
"""

import re
from typing import AnyStr

# As it is, as a text within JSON, and percent-encoded once or twice.
QUOTE = r"(?:\\{0,3}['\"]|%(?:25)?2[27])?"
BETWEEN = r"(?:\s|%(?:25)?20|\+){0,3}"
IS = r"(?:[=:]|%(?:25)?3[ADad])"
# Quoted once or twice, a list, an object, or a plain word.
VALUE = (
    r"(?:\\{1,3}\"[^\"]*\"|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\[[^\]]*\]?|\{[^}]*\}?"
    r"|[^\s'\"&,;)}]+)"
)
# The rest of a name. What was taken is not given back, and what turns out to be no name is passed
# by as a whole: masking is linear.
REST = r"(?:[\w.\]]|%(?:25)?5[Dd])*+"
# What is masked already: nothing is left to look for.
MASKED = r"(?!\\{0,3}['\"]\*{3}\\{0,3}['\"]|\*{3}(?:[\s&,;)}<\0]|$))"
BEHIND = rf"{REST}{QUOTE}{BETWEEN}{IS}{BETWEEN}{MASKED}"
TAG_BEHIND = r"[\w.:-]{0,40}+(?:\s[^<>]{0,80})?>\s{0,3}(?=[^<\s])(?!\*{3}<)"


def values_behind(names: str) -> re.Pattern[str]:
    """The values behind names, which are the alternatives of a pattern; its first group, or its
    second in XML, is what stands before one. A name without a value is found too.
    """
    tag = rf"<[\w.:-]{{0,40}}?(?:{names}){TAG_BEHIND}"
    return re.compile(rf"({tag})[^<]+|((?:{names}){BEHIND}){VALUE}|(?:{names}){REST}")


def has_value(values: re.Pattern[AnyStr], text: AnyStr) -> bool:
    """Whether such a pattern finds a value in a text or its bytes."""
    return any(found.lastindex for found in values.finditer(text))


def masked_behind(values: re.Pattern[str], text: str, mask: str) -> str:
    """A text with a mask in place of each value that such a pattern finds."""

    def masked(found: re.Match[str]) -> str:
        return found[found.lastindex] + mask if found.lastindex else found[0]

    return values.sub(masked, text)
