"""The command that ends and starts a receiver again: what is said of one that fails."""

import pytest

from features.merchant_side.context import NotCheckableError
from features.merchant_side.payment_states import PaymentStateError, state_reader_by_command
from features.merchant_side.restart_command import restart_by_command
from features.merchant_side.webhook_messages import new_payment

PASSWORD = "Rst4rtSecretPw9"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["sleep", "5", f"-p{PASSWORD}"], "status 0"),
        (["sh", "-c", "sleep 5", f"-p{PASSWORD}"], "its end within 0.2 s"),
        ([f"./{PASSWORD}"], "No such file"),
    ],
)
def test_what_is_said_of_a_command_that_fails_repeats_nothing_of_it(
    command: list[str], said: str
) -> None:
    restart = restart_by_command(command, time_limit_s=0.2)
    assert restart is not None

    with pytest.raises(NotCheckableError, match=said) as failed:
        restart()

    assert PASSWORD not in str(failed.value)


def test_what_is_said_of_a_command_that_cannot_run_repeats_nothing_of_it() -> None:
    with pytest.raises(PaymentStateError, match="No such file") as failed:
        state_reader_by_command([f"./{PASSWORD}"])(new_payment())

    assert PASSWORD not in str(failed.value)
