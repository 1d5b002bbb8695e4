import re
from pathlib import Path

from typer.testing import CliRunner

from scenarios.loader import SHIPPED, load_behaviours
from simulator.commands.behaviours import app
from simulator.domain.steering.magic_values import magic_values_markdown
from simulator.domain.steering.order import ORDER

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "magic-values.md"


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_list_names_every_shipped_behaviour_and_the_order():
    result = run("list")
    assert result.exit_code == 0
    listed = [line.split("\t")[0] for line in result.output.splitlines() if "\t" in line]
    assert listed == list(load_behaviours())
    assert f"1. script: {ORDER[0].means}" in result.output


def test_show_prints_a_behaviour_that_can_be_checked(tmp_path):
    path = tmp_path / "flaky.yaml"
    path.write_text(run("show", "flaky").output)
    assert run("check", path).output == "1 behaviour is valid\n"


def test_show_names_the_nearest_known_name():
    result = run("show", "flakey")
    assert result.exit_code == 2
    assert "nearest: flaky" in result.output


def test_check_takes_the_shipped_ones_by_default():
    assert run("check").output == f"{len(list(SHIPPED.glob('*.yaml')))} behaviours are valid\n"


def test_check_prints_every_error_and_exits_with_1(tmp_path):
    (tmp_path / "one.yaml").write_text("name: one\n")
    (tmp_path / "two.yaml").write_text("[]")
    result = run("check", tmp_path)
    assert result.exit_code == 1
    assert "one.yaml: title: expected a value, got nothing" in result.output
    assert "two.yaml: document: expected a mapping, got a list" in result.output


def test_check_shows_no_number_of_a_card(tmp_path):
    path = tmp_path / "one.yaml"
    path.write_text("title: 4111111111111111\n4200000000000000: x\n'5555 5555 5555 4444': x\n")
    shown = run("check", path).output

    assert "title: expected a text in quotes" in shown
    assert not re.search("4111111111111111|4200000000000000|5555 5555 5555 4444", shown)


def test_check_of_a_file_that_is_not_there_is_a_wrong_call(tmp_path):
    result = run("check", tmp_path / "none.yaml")
    assert result.exit_code == 2
    expected = f"{tmp_path / 'none.yaml'}: expected a behaviour file or a folder of them"
    assert expected in result.output


def test_check_of_an_empty_folder_is_a_wrong_call(tmp_path):
    result = run("check", tmp_path)
    assert result.exit_code == 2
    assert "expected at least one .yaml file" in result.output


def test_check_of_a_file_that_is_no_text_says_so(tmp_path):
    (tmp_path / "one.yaml").write_bytes(b"\xff\xfe\x00")
    result = run("check", tmp_path / "one.yaml")
    assert result.exit_code == 1
    assert "one.yaml: document: expected a YAML file, got text that is no UTF-8" in result.output


def test_check_refuses_a_match_that_nothing_fits(tmp_path):
    text = run("show", "approve").output.replace("match: {}\n", "")
    (tmp_path / "approve.yaml").write_text(text + "match: {brand: VIZA}\n")
    result = run("check", tmp_path / "approve.yaml")
    assert result.exit_code == 1
    assert "match.brand: expected one of" in result.output
    assert "(nearest: VISA)" in result.output


def test_a_page_that_cannot_be_written_fails_with_the_reason(tmp_path):
    result = run("magic-values", "--write", tmp_path / "none" / "page.md")
    assert result.exit_code == 1
    assert "expected a file to write, got: No such file or directory" in result.output


def test_the_page_of_magic_values_is_the_one_the_command_writes():
    page = magic_values_markdown(load_behaviours())
    assert PAGE.read_text(encoding="utf-8") == page, (
        "run: sandgate behaviours magic-values --write " + str(PAGE)
    )


def test_the_page_is_written_to_a_file(tmp_path):
    run("magic-values", "--write", tmp_path / "page.md")
    assert (tmp_path / "page.md").read_text() == run("magic-values").output
