"""What the writer of a feature typed under the name of a secret stands in no report."""

import pytest

from simulator.client.shown.step_texts import masked_step

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
    ],
)
def test_values_of_secrets_in_steps_and_tables_are_masked(text: str, shown: str) -> None:
    assert masked_step(text) == shown
