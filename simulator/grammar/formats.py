"""Formats: which values a field takes, in the notation of the specification.

A (letters), N (digits) and AN (any characters) give the longest value; a range gives both ends.
Classes are written out, as `[0-9]`: the short forms mean other things in other engines.
Source: Resources and their fields, format notation.
"""

from dataclasses import dataclass, replace

from simulator.grammar.characters import CONTROLS, CONTROLS_BUT_LINE_SIGNS

# No format admits U+FFFD, the sign of broken UTF-8, or a control character; a text may have lines
# and tabs. Choice: D-266.
TEXT = rf"[^{CONTROLS_BUT_LINE_SIGNS}\ufffd]"
IN_ADDRESSES = rf"{CONTROLS}\x20\xa0\ufffd"

# The parts of an URL that a server can call, in any script; nothing of it names a user.
NO_BLANK = rf"[^{IN_ADDRESSES}]"
_LABEL = rf"""[^{IN_ADDRESSES}/?#@:\[\]\\%"<>^`{{|}}.]{{1,63}}"""
WEB_HOST = rf"\[[0-9A-Fa-f:.]{{2,45}}\]|{_LABEL}(?:\.{_LABEL}){{0,126}}\.?"
WEB_PORT = r"[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]"
WEB_SCHEME = r"[Hh][Tt][Tt][Pp][Ss]?"
WEB_REST = rf"[/?#]{NO_BLANK}*"
WEB_URL = rf"{WEB_SCHEME}://(?:{WEB_HOST})(?::(?:{WEB_PORT}))?(?:{WEB_REST})?"

# What A and "letters" admit beside ASCII: letters and marks of all scripts, by block. Choice: D-01.
_SCRIPTS = (
    "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u065f\u066e-\u06ef\u06fa-\u0965\u0970-\u1fff"
    "\u2c00-\u2dff\u3041-\ud7ff\uf900-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\uff21-\uff3a\uff41-\uff5a"
    "\uff66-\uffdc\U00010280-\U00016fff\U00020000-\U0003ffff"
)
LETTERS = rf"[A-Za-z .'\-\u2019{_SCRIPTS}]"
ASCII_LETTERS = r"[A-Za-z .'\-]"

_DAY = (
    r"(?!0000)(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    r"|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    r"|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)"
)
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"

SIGNS = {".": "dot", "-": "hyphen", "_": "underscore", "+": "plus"}


@dataclass(frozen=True, slots=True)
class Format:
    """The values one field takes.

    `min` and `max` are lengths in characters. A value must match `body` as a whole, or be one of
    `values`, or stand in the ISO list `listed` names ("currency" or "country"). `says` replaces the
    pattern in messages; `signs` are what a class admits beside letters and digits. `switches` are
    choices, and the formats that hold where they are switched. `is_read_later` is of a value that
    its operation reads after the check, and may refuse.
    """

    notation: str
    kind: str
    min: int = 1
    max: int | None = None
    body: str = ""
    values: tuple[str, ...] = ()
    listed: str = ""
    says: str = ""
    signs: str = ""
    switches: tuple[tuple[str, "Format"], ...] = ()
    is_read_later: bool = False

    @property
    def pattern(self) -> str | None:
        """The pattern as messages show it; None where values are listed."""
        return f"^{self.body}$" if self.body else None

    @property
    def strict_pattern(self) -> str | None:
        """The pattern for engines that search: some let `$` pass before a final newline."""
        return f"^{self.body}$(?!\\n)" if self.body else None


def switched(format: Format, choice: str, other: Format) -> Format:
    """`format` where `choice` has its default value, `other` where it was switched."""
    return replace(format, switches=((choice, other), *format.switches))


def text(longest: int, *, min: int = 1, notation: str = "") -> Format:
    """AN: any characters, line breaks and tabs among them, but no other control characters."""
    body = f"{TEXT}{_times(min, longest)}"
    said = f"must be {_length(min, longest)} without control characters"
    name = notation or _ranged(f"AN{longest}", longest, min)
    return Format(name, "text", min, longest, body, says=said)


def letters(longest: int, *, min: int = 1, notation: str = "") -> Format:
    """A: letters of any script, blank, hyphen, apostrophe, dot. Choice: D-01."""
    return switched(
        _letters(LETTERS, longest, min, notation),
        "letters",
        _letters(ASCII_LETTERS, longest, min, notation),
    )


def holder(longest: int, *, min: int) -> Format:
    """The name on a card: letters, or a result code that steers the simulator. Choice: D-50."""
    code = r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}"
    plain, ascii_only = (
        replace(part, body=f"(?:{part.body}|{code})", says=f"{part.says}, or be a result code")
        for part in (
            _letters(LETTERS, longest, min, ""),
            _letters(ASCII_LETTERS, longest, min, ""),
        )
    )
    return switched(plain, "letters", ascii_only)


def alphanumeric(longest: int, *, min: int = 1, signs: str = "", notation: str = "") -> Format:
    """Letters and digits of ASCII, and the `signs` named."""
    named = ", ".join(("letters, digits", *(SIGNS[sign] for sign in signs)))
    characters = named if signs else "letters and digits"
    name = notation or _ranged(f"AN{longest}, {characters}", longest, min)
    admitted = signs.replace("-", r"\-")
    body = f"[A-Za-z0-9{admitted}]{_times(min, longest)}"
    return Format(name, "alphanumeric", min, longest, body, signs=signs)


def map_key() -> Format:
    """What may stand in the brackets of customParameters[name] and merchant.data[key]."""
    return alphanumeric(64, min=3, signs="._")


def postcode(longest: int, *, signs: str = "") -> Format:
    """Letters and digits; clients in the field also send blanks, as `A1 2BC`. Choice: D-07."""
    return switched(alphanumeric(longest, signs=signs), "postcode", text(longest))


def ascii_letters(count: int, *, notation: str = "") -> Format:
    """Exactly `count` ASCII letters, of either case: a code."""
    return Format(notation or f"A{count}", "letter code", count, count, f"[A-Za-z]{{{count}}}")


def digits(shortest: int, longest: int, *, notation: str = "") -> Format:
    """N: ASCII digits."""
    body = f"[0-9]{_times(shortest, longest)}"
    name = notation or _ranged(f"N{longest}", longest, shortest)
    return Format(name, "digits", shortest, longest, body)


def lower_hex(count: int) -> Format:
    """Exactly `count` lowercase hex digits."""
    name = f"AN{count}, lowercase hex, exactly {count}"
    return Format(name, "hex", count, count, f"[0-9a-f]{{{count}}}")


def base64(count: int) -> Format:
    """Exactly `count` characters of Base64."""
    body = rf"[A-Za-z0-9+/]{{{count - 2}}}(?:==|[A-Za-z0-9+/][A-Za-z0-9+/=])"
    return Format(f"AN{count}, exactly {count}, Base64", "base64", count, count, body)


def amount(whole: int = 10) -> Format:
    """N10.N2: 1 to `whole` integer digits, optionally a dot and two decimals."""
    body = rf"[0-9]{{1,{whole}}}(\.[0-9]{{2}})?"
    return Format(f"N{whole}.N2", "amount", 1, whole + 3, body)


def amount_two_decimals(letter: str = "", *, whole: int = 10) -> Format:
    """N10.N2 or N13 with mandatory decimals: 1 to `whole` integer digits, a dot, two decimals."""
    name = f"{letter or f'N{whole}.N2'} with mandatory two decimals"
    body = rf"[0-9]{{1,{whole}}}\.[0-9]{{2}}"
    return Format(name, "amount with decimals", 4, whole + 3, body)


def decimal(whole: int, fraction: int) -> Format:
    """A signed decimal: up to `whole` integer digits, a dot, 1 to `fraction` decimals."""
    body = rf"[+\-]?[0-9]{{1,{whole}}}\.[0-9]{{1,{fraction}}}"
    name = f"signed decimal, up to {whole} integer digits, 1-{fraction} decimals"
    return Format(name, "decimal", 3, whole + fraction + 2, body)


def listed_times(item: str, notation: str, span: str) -> Format:
    """One value that matches `item`, several with commas between, or *. Choice: D-53.

    `span` says which values there are. The field writes them as in a trigger expression. Choice:
    D-156.
    """
    body = rf"(?=.{{1,255}}$)(?:\*|{item}(?:,{item})*)"
    said = f"must be {notation}; values are {span}"
    listed = Format(notation, "listed times", 1, 255, body, says=said)
    expression = replace(text(255, notation=notation), is_read_later=True)
    return switched(listed, "job_fields", expression)


def date() -> Format:
    """A day of the calendar, yyyy-MM-dd."""
    return Format(
        "AN10, yyyy-MM-dd", "date", 10, 10, _DAY, says="must be a day of the calendar, yyyy-MM-dd"
    )


def timestamp() -> Format:
    """A day and a time of the 24h clock, yyyy-MM-dd HH:mm:ss."""
    body = f"{_DAY} {_TIME}"
    said = "must be a time, yyyy-MM-dd HH:mm:ss"
    return Format("AN19, yyyy-MM-dd HH:mm:ss", "timestamp", 19, 19, body, says=said)


def day_or_timestamp() -> Format:
    """A day of the calendar, with or without a time."""
    said = "must be a day of the calendar, yyyy-MM-dd, or a time, yyyy-MM-dd HH:mm:ss"
    return Format("AN10 or AN19", "day or timestamp", 10, 19, f"{_DAY}(?: {_TIME})?", says=said)


def zoned_timestamp() -> Format:
    """A timestamp, optionally with a zone such as +0000."""
    body = rf"{_DAY} {_TIME}(?:[+\-][0-9]{{4}})?"
    said = "must be a time, yyyy-MM-dd HH:mm:ss, optionally with a zone"
    return Format("AN19, yyyy-MM-dd HH:mm:ss", "zoned timestamp", 19, 24, body, says=said)


def choice_of(*values: str, notation: str = "") -> Format:
    """One of `values`, spelled as here."""
    lengths = [len(value) for value in values]
    name = notation or ", ".join(values)
    return Format(name, "choice", min(lengths), max(lengths), values=values)


def numbered(first: int, last: int) -> Format:
    """A two-digit number from `first` to `last`: 01 to 12."""
    values = (f"{number:02}" for number in range(first, last + 1))
    return choice_of(*values, notation=f"N2, {first:02}-{last:02}")


def boolean() -> Format:
    """true or false; clients in the field also send 1 and 0. Choice: D-10."""
    words = choice_of("true", "false", notation="true or false")
    return switched(
        words, "booleans", choice_of("true", "false", "1", "0", notation=words.notation)
    )


def currency(*, notation: str = "A3, uppercase") -> Format:
    """A currency code, uppercase. Source: ISO 4217. Choice: D-31."""
    said = "must be a currency code of ISO 4217"
    return Format(notation, "currency", 3, 3, "[A-Z]{3}", listed="currency", says=said)


def country(*, notation: str = "A2, uppercase") -> Format:
    """A country code of two letters, uppercase. Source: ISO 3166-1."""
    said = "must be an uppercase country code of ISO 3166-1"
    return Format(notation, "country", 2, 2, "[A-Z]{2}", listed="country", says=said)


def country_of_any_case(*, notation: str = "A2, letters") -> Format:
    """A country code of two letters, of either case. Source: ISO 3166-1."""
    said = "must be a country code of ISO 3166-1"
    listed = "country of any case"
    return Format(notation, "country", 2, 2, "[A-Za-z]{2}", listed=listed, says=said)


def web_url(longest: int, *, min: int) -> Format:
    """An address that the gateway calls. Choice: D-284."""
    body = rf"(?=.{{{min},{longest}}}$)(?:{WEB_URL})"
    said = f"must be an http or https URL of {min} to {longest} characters, without user or blanks"
    name = _ranged(f"AN{longest}, URL-encoded", longest, min)
    return Format(name, "web url", min, longest, body, says=said)


def callback_url(longest: int, *, min: int) -> Format:
    """An address that the shopper is sent to: one that can be called, or that of an app."""
    app = rf"(?!{WEB_SCHEME}:)[A-Za-z][A-Za-z0-9+.\-]*://{NO_BLANK}+"
    body = rf"(?=.{{{min},{longest}}}$)(?:{WEB_URL}|{app})"
    said = f"must be a URL of {min} to {longest} characters, without user or blanks"
    name = _ranged(f"AN{longest}, URL-encoded", longest, min)
    return Format(name, "callback url", min, longest, body, says=said)


def url(longest: int) -> Format:
    """A valid URL with a scheme and a host, as long as decided. Choice: D-53."""
    body = (
        rf"(?=.{{6,{longest}}}$)[A-Za-z][A-Za-z0-9+.\-]*://"
        rf"[^{IN_ADDRESSES}/?#]+(?:[/?#][^{IN_ADDRESSES}]*)?"
    )
    return Format("valid URL", "url", 6, longest, body, says="must be a valid URL")


def matching(notation: str, kind: str, body: str, *, lengths: tuple[int, int]) -> Format:
    """A format used once, written as a pattern; `kind` names its samples."""
    return Format(notation, kind, *lengths, body)


def opaque(notation: str, kind: str = "structure") -> Format:
    """Something that is no parameter value: a header, a JSON object, another structure."""
    return Format(notation, kind, 0)


def _letters(class_: str, longest: int, shortest: int, notation: str) -> Format:
    name = notation or _ranged(f"A{longest}", longest, shortest)
    said = f"must be {_length(shortest, longest)}: letters, blank, hyphen, apostrophe, dot"
    return Format(
        name, "letters", shortest, longest, f"{class_}{_times(shortest, longest)}", says=said
    )


def _ranged(notation: str, longest: int, shortest: int) -> str:
    if shortest == longest:
        return f"{notation}, exactly {longest}"
    return notation if shortest == 1 else f"{notation}, {shortest}-{longest}"


def _times(shortest: int, longest: int) -> str:
    return f"{{{longest}}}" if shortest == longest else f"{{{shortest},{longest}}}"


def _length(shortest: int, longest: int) -> str:
    if shortest == longest:
        return f"exactly {longest} characters"
    return f"{shortest} to {longest} characters"
