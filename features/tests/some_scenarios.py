"""Those features whose scenarios would notice first that they are not alone on their server: limits
that count, scripts that wait for a payment, notifications, and states that follow one another.

`test_together.py` runs them.
"""

from pytest_bdd import scenarios

scenarios("../states.feature", "../steering.feature")
scenarios("../throttling.feature", "../webhooks.feature")
