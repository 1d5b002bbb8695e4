"""The languages of the hosted form, as the specification names them."""

# Source: Hosted payment form behaviour; FORM-03.
LANGUAGES = (
    "en", "de", "fr", "es", "it", "nl", "dk", "fi", "se", "tr", "ja", "sl", "pt", "pl", "cz", "hu",
    "bg", "ro", "ru", "cn", "gr", "no", "sk", "ar", "ko",
)  # fmt: skip
RIGHT_TO_LEFT = ("ar",)
