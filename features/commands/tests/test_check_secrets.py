"""What your own steps say of a target is masked, before it was sent any request as well."""

import zipfile
from pathlib import Path

import pytest

from features.tests.minimal_gateway import TOKEN
from features.tests.shop_folder import check

SHARED = 8
STEPS = {
    "raises": "raise ValueError('token ' + target.token)",
    "fails": "pytest.fail('token ' + target.token)",
    "compares": "assert 'Jane Jones' == target.token",
    "shows": "print(target.token); assert False",
}


@pytest.mark.parametrize("step", STEPS)
def test_a_step_of_ones_own_that_says_a_secret_writes_none(folder: Path, step: str) -> None:
    own = folder / "saying"
    own.mkdir()
    (own / "a.feature").write_text(
        "Feature: A\n  Scenario: A\n    When a step says it\n    Then it is accepted\n"
    )
    (own / "conftest.py").write_text(
        "import pytest\nfrom pytest_bdd import when\n\n\n"
        f"@when('a step says it')\ndef _(target):\n    {STEPS[step]}\n"
    )
    written = ("--html", "h.html", "--junit", "j.xml", "--events", "e.jsonl")

    ran = check(folder, "target.toml", "--features", "saying", *written)

    assert (folder / "h.html").exists(), ran.stdout + ran.stderr
    everything = (
        ran.stdout + ran.stderr + "".join((folder / each).read_text() for each in written[1::2])
    )

    parts = {TOKEN[at : at + SHARED] for at in range(len(TOKEN) - SHARED + 1)}
    assert [part for part in parts if part in everything] == []


@pytest.mark.parametrize(
    "said", ["pass", "from pathlib import Path; Path('target.toml').unlink(True)"]
)
def test_a_feature_file_with_a_secret_of_the_target_stands_without_it_in_the_evidence(
    folder: Path, said: str
) -> None:
    own = folder / "typed"
    own.mkdir()
    (own / "a.feature").write_text(
        f"Feature: A\n  # with {TOKEN}, ours\n  Scenario: A\n"
        "    When a step says nothing\n    Then a step says nothing\n"
    )
    (own / "conftest.py").write_text(
        f"from pytest_bdd import step\n\n\n@step('a step says nothing')\ndef _():\n    {said}\n"
    )

    ran = check(folder, "target.toml", "--features", "typed", "--evidence", "e.zip")

    assert (folder / "e.zip").exists(), ran.stdout + ran.stderr

    with zipfile.ZipFile(folder / "e.zip") as archive:
        texts = [archive.read(name).decode() for name in archive.namelist()]
    assert any("# with ***, ours" in text for text in texts)
    assert [text for text in texts if TOKEN in text] == []


def test_a_value_beside_the_name_of_a_secret_in_a_row_stands_in_no_report(folder: Path) -> None:
    own = folder / "rows"
    own.mkdir()
    (own / "a.feature").write_text(
        'Feature: A\n  Scenario Outline: A\n    When a step sends <name> "<value>"\n'
        "    Then a step sends nothing\n\n"
        "    Examples:\n      | kind | name | value |\n      | a debit | card.cvv | 87651 |\n"
    )
    (own / "conftest.py").write_text(
        "from pytest_bdd import parsers, step\n\n\n"
        "@step(parsers.re('a step sends .*'))\ndef _():\n    pass\n"
    )
    written = ("--html", "h.html", "--json", "j.json", "--events", "e.jsonl")

    ran = check(folder, "target.toml", "--features", "rows", *written, "--evidence", "e.zip")

    assert (folder / "e.zip").exists(), ran.stdout + ran.stderr
    with zipfile.ZipFile(folder / "e.zip") as archive:
        texts = [archive.read(name).decode() for name in archive.namelist()]
    texts += [ran.stdout, ran.stderr, *((folder / each).read_text() for each in written[1::2])]
    assert any("| a debit | card.cvv | *** |" in text for text in texts)
    assert [text for text in texts if "87651" in text] == []
