"""Random input for TLV, commands and cards: an answer or the module's own error, never another.

`make proof` tries a million.
"""

import json
import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from pos_emulator.apdu import parse_command, parse_response
from pos_emulator.card.machine import answer
from pos_emulator.card.personalization import personalize
from pos_emulator.card.records import fresh_memory, power_on
from pos_emulator.kernel.history import exchange_event
from pos_emulator.tests.random_inputs import GOOD, babble, try_reading

SEED, SLOW_S = 20261123, 2.0


@given(st.binary(max_size=300))
@settings(max_examples=50)
def test_bytes_of_any_kind_are_read_or_refused(data):
    try_reading(data)


@given(st.lists(st.one_of(st.sampled_from(GOOD), st.binary(max_size=40)), max_size=8))
@settings(max_examples=25)
def test_a_card_answers_commands_of_any_kind_in_any_order(commands):
    chip = personalize("gold")
    state = power_on(chip, fresh_memory(chip))
    for sent in commands:
        state, response = answer(state, sent)
        assert len(response) >= 2


def test_some_thousand_random_inputs_end_in_answers():
    command = [sys.executable, "-m", "pos_emulator.tests.random_inputs", "4000", str(SEED)]

    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)

    assert (found["inputs"], found["damaged_payments"]) == (4_000, 80)
    assert found["longest_s"] < SLOW_S


def test_the_kernel_ends_with_an_outcome_when_the_card_babbles():
    babble(120, SEED)


@given(st.binary(min_size=2, max_size=200))
@settings(max_examples=50)
def test_any_response_can_be_shown(data):
    event = exchange_event(parse_command(GOOD[5]), parse_response(data))

    assert event.text
