"""Texts of a gateway are shown without the secrets of a run, also where they are cut."""

import pytest

from load.tests.records import create_plan
from load.traffic.shown import ShownTexts, shown_texts
from load.traffic.verdicts import CODE_LENGTH_MAX, ResponseBody, ResponseResult, kept_code

TOKEN = "0f" * 24


@pytest.mark.parametrize("before", [0, 1, 70, 100, 119, 2100])
@pytest.mark.parametrize("times", [1, 3, 50, 500])
def test_no_part_of_a_secret_is_left_where_a_text_is_cut(before, times):
    shown = ShownTexts([TOKEN])("x" * before + " " + f"{TOKEN} " * times)

    assert TOKEN[:8] not in shown and len(shown) <= 120


@pytest.mark.parametrize("text", [f"Bad token {TOKEN * 200}", f"Bad token {f'{TOKEN} ' * 200}"])
def test_of_a_text_that_is_shorter_once_it_is_masked_the_beginning_is_kept(text):
    assert ShownTexts([TOKEN])(text).startswith("Bad token ***")
    assert ShownTexts([TOKEN])(f"{text} and more", 1000).startswith("Bad token ***")


def test_no_part_of_a_secret_is_left_that_is_longer_than_what_is_read_of_a_text():
    secret = "Zm9vYmFyLWJheg" * 500

    assert ShownTexts([secret])(f"Bad {secret}, {secret} {'x' * 9000}").startswith("Bad ***, ***")


def test_a_code_that_is_no_code_is_masked_before_it_is_cut():
    shown = ShownTexts([TOKEN])
    code = kept_code(ResponseBody(ResponseResult(f"000.{TOKEN}")), shown)

    assert code == "000.***" and len(code) <= CODE_LENGTH_MAX
    assert kept_code(ResponseBody(ResponseResult("000.100.110")), shown) == "000.100.110"
    assert kept_code(None, shown) == ""


def test_the_secrets_of_a_plan_are_hidden_however_short():
    shown = shown_texts(create_plan(token="tok_7", secrets=("k9",)))

    assert shown("a tok_7, k9 and ok9") == "a ***, *** and ok9"
