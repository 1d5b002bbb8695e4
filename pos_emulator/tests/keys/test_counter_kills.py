"""A terminal that is killed while it pays uses no serial number twice; `make proof` does it 1,000
times.
"""

import json
import subprocess
import sys

from pos_emulator.tests.keys.counter_kills import Used, count

PAYMENTS, KILLS = 60, 6


def test_no_serial_number_is_used_twice_though_the_terminal_is_killed():
    command = [sys.executable, "-m", "pos_emulator.tests.keys.counter_kills"]

    done = subprocess.run(
        [*command, str(PAYMENTS), str(KILLS)], capture_output=True, text=True, check=True
    )

    found = json.loads(done.stdout)
    assert found["kills"] == KILLS
    assert found["serial_numbers"] >= 2 * found["payments"] >= PAYMENTS
    assert (found["used_twice"], found["not_above_the_last"], found["wrong_keys"]) == (0, 0, 0)


def test_a_serial_number_that_comes_again_is_counted():
    key = bytes(16)
    used = [Used("TDES", each, key) for each in (1, 2, 2, 4)]
    used += [Used("AES", each, key) for each in (1, 3, 2, 5)]

    found = count(used, 1, 0, 0)

    assert (found.used_twice, found.not_above_the_last, found.skipped) == (1, 2, 2)
