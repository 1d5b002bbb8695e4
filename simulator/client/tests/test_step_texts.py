"""What the writer of a feature typed under the name of a secret stands in no report."""

import pytest

from simulator.client.shown.step_texts import masked_example, masked_step

TABLE = """
      | brand | card.cvv | why |
      | VISA  | 9876     | one |
      | AMEX  | <cvv>    | two |
"""
CODES = """
      | cvv | why |
      | 987 | one |
"""
PAIRS = """
      | mobileWallet.paymentToken | S3cretTokenValue |
      | amount                    | 92.00            |
      | card.cvv                  |                  |
"""
ROWS = """
    Examples: rows that name the parameter
      | kind    | name     | value | code        |
      # the card host decides
      | a debit | card.cvv | 87651 | 100.100.600 |

      | a debit | password | a b c | 100.100.600 |
      | an authorization | amount   | 92.00 | 000.100.110 |
      | a debit | card.cvv | <cvv> | 100.100.600 |
"""
REASONS = """
    Scenarios:
      | name     | why                |
      | card.cvv | it was typed there |
"""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('the merchant sends card.cvv "9876" with DB', 'the merchant sends card.cvv "***" with DB'),
        ('the password is "a b, c" and amount "92.00"', 'the password is "***" and amount "92.00"'),
        ('it sends card.cvv "<cvv>" and card.cvv ""', 'it sends card.cvv "<cvv>" and card.cvv ""'),
        ('the member "password" of the answer is "text"',) * 2,
        (TABLE, TABLE.replace(" 9876     ", " *** ")),
        (f"Examples:\n{CODES}", f"Examples:\n{CODES}".replace(" 987 ", " *** ")),
        (PAIRS, PAIRS.replace(" S3cretTokenValue ", " *** ")),
        (ROWS, ROWS.replace(" 87651 ", " *** ").replace(" a b c ", " *** ")),
        (REASONS,) * 2,
    ],
)
def test_values_of_secrets_in_steps_and_tables_are_masked(text: str, shown: str) -> None:
    assert masked_step(text) == shown


@pytest.mark.parametrize(
    ("example", "shown"),
    [
        ({"name": "card.cvv", "value": "87651", "why": "one"}, {"value": "***"}),
        ({"name": "amount", "value": "92.00"}, {}),
        ({"name": "card.cvv", "value": ""}, {}),
        ({"name": "card.cvv", "code": "100.100.600"}, {}),
        ({"kind": "an authorization", "amount": "92.00"}, {}),
    ],
)
def test_a_value_beside_the_name_of_a_secret_is_masked_in_a_row_of_examples(
    example: dict[str, str], shown: dict[str, str]
) -> None:
    assert masked_example(example) == example | shown
