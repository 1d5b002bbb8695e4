"""How what may not be kept of a card is called, and passwords: one list for all who refuse or hide.

Sensitive authentication data as PCI DSS 3.3.1 lists them: tracks; CAV2, CVC2, CVV2, CID and their
other names; PIN and PIN block. Choice: D-267.
"""

# Parts of a name, as it reads without capitals and signs, that leave no doubt.
STEMS = (
    "cvv", "cvc", "cvx2", "cav2", "securitycode", "verificationcode", "verificationvalue",
    "verificationdata", "verificationnumber", "securitynumber", "cvnumber", "validationcode",
    "validationvalue", "cardverification", "cardvalidation", "cardcode", "cardcid", "cardcvd",
    "cardseccode", "cardverifcode", "cardcheckcode", "signaturepanelcode", "fourdigitbatchcode",
    "password", "passwd", "passphrase",
    "trackdata", "track1", "track2", "track3", "trackone", "tracktwo", "trackthree", "fulltrack",
    "magstripe", "swipedata", "discretionarydata",
    "pinblock", "pinoffset", "pinverification", "encryptedpin", "personalidentificationnumber",
)  # fmt: skip
# Secret as whole words only: "pin" is part of "shipping".
WORDS = frozenset({
    "pin", "mpin", "pvv", "csc", "cve", "spc", "cvn", "cvd", "cid", "cav", "otp", "pwd",
})  # fmt: skip

# Where a word begins in a text: also behind a line break or the like, as JSON writes it.
BEGINS = r"(?:(?<![a-z])|(?<=\\[bfnrt])|(?<=\\u[0-9a-f]{4}))"
# Where one ends: before a hump too, but "PINE" is another word.
ENDS = r"(?-i:(?![a-z])(?!(?<=[A-Z])[A-Z]))"
# The same names as texts have them, in capitals, in humps or not, and how they begin.
BEGINNINGS = (
    "cv", "cav", "cid", "csc", "sec", "verification", "validation", "pass", "pwd", "pin", "pvv",
    "otp", "track", "mag", "swipe", "discretionary", "mpin", "spc", "four", "personal", "signature",
    "card", "tan",
)  # fmt: skip
# How the names of all secrets in texts begin, those of keys and credentials too.
STEMS_IN_TEXTS = (
    *BEGINNINGS, "token", "key", "credential", "auth", "jwt", "cookie", "bearer", "access",
)  # fmt: skip
IN_TEXTS = (
    r"(?i:cv[vcn]|c(?:vx|av)2|security.?(?:code|value)"
    r"|(?:verification|validation).?(?:code|value|data)"
    r"|(?:(?<=card)|(?<=card.))(?:verification|validation)|passw|passphrase"
    r"|pin.?(?:code|block|offset|verification)|track.?(?:[123]|data|one|two|three)"
    r"|(?:(?<=full)|(?<=full.))track|magstripe|(?:swipe|discretionary).?data"
    r"|(?:(?<=encrypted)|(?<=encrypted.))pin"
    r"|(?:verification|security|cv).?number"
    r"|card.?(?:(?:sec|verif|check).?)?code|signature.?panel.?code|four.?digit.?batch.?code"
    r"|personal.?identification.?number"
    rf"|{BEGINS}(?:m?pin|pvv|csc|cve|spc|cid|cvd|cav|otp|pwd|tan){ENDS}"
    rf"|(?<=card)(?:cid|cvd){ENDS})"
    r"|(?:Pin|Mpin|Pvv|Csc|Cve|Spc|Cid|Cvd|Cav|Otp|Pwd|Tan)(?![a-z])"
    r"|(?<=[a-z])(?:PIN|PVV|CSC|CID|CVD|CAV|OTP|PWD|TAN)(?![A-Za-z])"
)
