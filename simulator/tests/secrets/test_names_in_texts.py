"""A name that is secret as a parameter is secret in a text too, however it is written there."""

from itertools import product

import pytest

from simulator.domain.masking.masking import SECRETS, ValueKind, kind_of, mask_text

# Names of more than one word, each as its words; the others are words by themselves.
WORDS = {
    "".join(words): words
    for words in map(
        str.split,
        (
            "security code", "verification code", "verification value", "verification data",
            "verification number", "security number", "cv number", "validation code",
            "validation value", "card verification", "card validation", "card code", "card cid",
            "card cvd", "card sec code", "card verif code", "card check code",
            "signature panel code", "four digit batch code", "track data", "track 1", "track 2",
            "track 3", "track one", "track two", "track three", "full track", "swipe data",
            "discretionary data", "pin block", "pin offset", "pin verification",
            "pin code", "encrypted pin", "personal identification number", "api key", "access key",
            "private key", "pass code", "access code", "m tan", "sms tan",
        ),
    )
}  # fmt: skip
# Whose numbers are looked for wherever they stand, and what names the scheme of a header.
ELSEWHERE = {"primaryaccountnumber", "cardnumber", "ccnumber", "authorization", "bearer"}
NAMES = sorted({*SECRETS.stems, *SECRETS.whole, "mtan", "smstan", "auth"} - ELSEWHERE)
VALUE = "zq81x4"


def notations(words: list[str]) -> set[str]:
    """In small letters, in humps, with signs between the words, and in capitals."""
    humps = "".join(map(str.title, words))
    joined = {sign.join(words) for sign in "_-. "}
    return {words[0] + humps[len(words[0]) :], humps, *joined, "_".join(words).upper()}


@pytest.mark.parametrize("name", NAMES)
def test_what_follows_a_secret_name_in_a_text_is_masked(name: str) -> None:
    words = WORDS.get(name, [name])
    shown = [
        text
        for before, behind in product(([], ["my"], ["customer"]), ([], ["value"]))
        for written in notations([*before, *words, *behind])
        if kind_of(written) is ValueKind.SECRET
        for text in (
            f"{written}={VALUE}",
            f"see {written}: {VALUE}.",
            f'{{"{written}": "{VALUE}"}}',
        )
        if VALUE in mask_text(text)
    ]
    assert shown == []


@pytest.mark.parametrize(
    "name",
    ["auth", "x.auth", "myAuth", "MY_AUTH", "a[auth]", "passwort", "mTAN", "smsTan", "passcode",
     "accessCode"],
)  # fmt: skip
def test_what_a_text_masks_is_masked_as_a_parameter(name: str) -> None:
    assert kind_of(f"customParameters[{name}]") is ValueKind.SECRET
    assert kind_of(name) is ValueKind.SECRET
    assert VALUE not in mask_text(f"{name}: {VALUE}")


@pytest.mark.parametrize("name", ["AuthCode", "authType", "oauthor", "customParameters[author]"])
def test_an_approval_is_no_credential(name: str) -> None:
    assert kind_of(name) is ValueKind.PLAIN


@pytest.mark.parametrize(
    "text",
    ["PINE=5", "shipping: 12", "keyboard=us", "AuthCode: 123456", "auth code: 123456",
     "Authorization code: 123456", "authorization-number=831000", "spine-width=3",
     "compass value: 7", "monkey number: 4", "merchantTransactionId=token-free"],
)  # fmt: skip
def test_other_words_are_shown(text: str) -> None:
    assert mask_text(text) == text
