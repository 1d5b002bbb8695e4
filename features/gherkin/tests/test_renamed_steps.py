"""Every sentence of release 0.1.0 is still a step."""

from pathlib import Path

from features.gherkin.renamed_steps import RENAMED, current_sentence, describe_renamed_steps
from features.gherkin.step_catalogue import definitions, matching
from features.steps import NOUNS

SENTENCES = Path(__file__).with_name("sentences_0_1_0.txt").read_text("utf-8").splitlines()
DEFINITIONS = definitions(tuple(NOUNS))


def test_every_sentence_of_0_1_0_is_one_current_step() -> None:
    words = [line.partition(" ")[::2] for line in SENTENCES]
    current = [(keyword, current_sentence(keyword, sentence)) for keyword, sentence in words]
    assert [each for each in current if len(matching(DEFINITIONS, *each)) != 1] == []


def test_a_current_sentence_stays_as_it_is() -> None:
    for line in SENTENCES:
        keyword, _, sentence = line.partition(" ")
        current = current_sentence(keyword, sentence)
        assert current_sentence(keyword, current) == current


def test_many_sentences_are_worded_otherwise() -> None:
    assert len(RENAMED) > 150


def test_a_note_names_the_old_wording_and_the_new_one(tmp_path: Path) -> None:
    feature = (
        "Feature: A\n  Scenario: One\n    Given the clock stands still\n"
        "    When the merchant debits 92.00 EUR\n    Then the answer to it is mine\n"
    )
    (tmp_path / "own.feature").write_text(feature)
    assert list(describe_renamed_steps(tmp_path)) == [
        "deprecated step, ends with the next release: 'the clock stands still'; "
        "write 'the sandbox clock is frozen'"
    ]
