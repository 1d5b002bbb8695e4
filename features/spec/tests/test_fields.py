"""The reader of format words: what it makes of each kind of wording, and that it reads them all."""

import pytest

from features.spec.fields import FieldLimits, UnknownFormatError, limits_of, request_fields
from features.spec.forms import FORMS, MEANINGS
from features.spec.tables import SpecificationRow

# fmt: off
READINGS = [
    # words                                      rule                limits without their name
    ("AN255",                                    "",                 FieldLimits("", 1, 255)),
    ("AN255, 8-255 chars",                       "",                 FieldLimits("", 8, 255)),
    ("1-4096 chars",                             "",                 FieldLimits("", 1, 4096)),
    ("AN",                                       "",                 FieldLimits("", 1, None)),
    ("A128, 3-128 chars",                        "",                 FieldLimits("", 3, 128)),
    ("N19, 12-19 digits",                        "",
     FieldLimits("", 12, 19, "digits")),
    ("N25, digits",                              "",
     FieldLimits("", 1, 25, "digits")),
    ("N3",                                       "",
     FieldLimits("", 1, 3, "digits")),
    ("AN80, letters",                            "",
     FieldLimits("", 1, 80, "letters")),
    ("AN35, letters and digits, exactly 35",     "",
     FieldLimits("", 35, 35, "letters and digits")),
    ("AN10, letters, digits, dot",               "",
     FieldLimits("", 1, 10, "letters, digits, dot")),
    ("AN25, letters, digits, plus, hyphen, dot", "",
     FieldLimits("", 1, 25, "letters, digits, plus, hyphen, dot")),
    ("true or false",                            "",
     FieldLimits("", values=("true", "false"))),
    ("M, CM, KG, G, COUNT; default COUNT",       "",
     FieldLimits("", values=("M", "CM", "KG", "G", "COUNT"))),
    ("one of Y, U, N",                           "",
     FieldLimits("", values=("Y", "U", "N"))),
    ("A20: INITIAL or REPEATED",                 "",
     FieldLimits("", values=("INITIAL", "REPEATED"))),
    ("A1",                                       "M or F.", FieldLimits("", values=("M", "F"))),
    ("A3",                                       "Always POS.", FieldLimits("", values=("POS",))),
    ("AN28, exactly 28, Base64",                 "CAVV or AAV. Required with a third-party MPI.",
     FieldLimits("", form="base64 of 28")),
    ("N10.N2",                                   "",        FieldLimits("", form="amount")),
    ("N10.N2 with mandatory two decimals",       "",        FieldLimits("", form="two decimals")),
    ("AN10, yyyy-MM-dd",                         "",        FieldLimits("", form="date")),
]
# fmt: on


def row(words: str, rule: str = "", name: str = "") -> SpecificationRow:
    return SpecificationRow("", name, words, rule, "request")


@pytest.mark.parametrize(("words", "rule", "limits"), READINGS, ids=[r[0] for r in READINGS])
def test_words_mean_limits(words: str, rule: str, limits: FieldLimits) -> None:
    assert limits_of(row(words, rule)) == limits


def test_same_means_the_limits_of_the_row_before() -> None:
    before = FieldLimits("price", form="two decimals")
    assert limits_of(row("same format", name="tax"), before) == FieldLimits(
        "tax", form="two decimals"
    )


def test_words_that_have_no_meaning_are_an_error() -> None:
    with pytest.raises(UnknownFormatError, match="as long as a day"):
        limits_of(row("as long as a day"))


def test_every_request_field_of_the_specification_is_read() -> None:
    assert len(request_fields()) == 311


def test_a_shipping_customer_has_the_limits_of_a_customer() -> None:
    fields = request_fields()
    shipped = [name for name in fields if name.startswith("shipping.customer.")]
    assert shipped
    for name in shipped:
        theirs, ours = fields[name], fields[name.removeprefix("shipping.")]
        assert (theirs.least, theirs.most, theirs.values, theirs.form) == (
            ours.least,
            ours.most,
            ours.values,
            ours.form,
        )


def test_values_named_elsewhere_are_found_there() -> None:
    fields = request_fields()
    assert fields["job.durationUnit"].values == fields["job.noticeUnit"].values
    assert fields["shipping.customer.sex"].values == ("M", "F")
    assert fields["paymentType"].values == ("PA", "DB", "CD", "RG")


def test_every_meaning_belongs_to_a_field_and_has_a_form() -> None:
    assert set(MEANINGS) <= set(request_fields())
    assert set(MEANINGS.values()) <= set(FORMS)
