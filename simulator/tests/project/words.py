"""Words that the glossary replaced, and where they still stand.

`python -m simulator.tests.project.words [PATH...]` prints one line for each: file, line, the word,
and what to write instead. Without a path it reads the whole repository. The table is the only
place that names a refused word; a word is added when a reader stumbles over it.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[3]
READ = {
    ".css", ".csv", ".feature", ".html", ".js", ".json", ".md", ".php", ".py", ".svg", ".toml",
    ".yaml",
}  # fmt: skip
NOT_READ = {
    #  file                                        why
    "requirements.lock":                           "names of packages",
    "simulator/catalogue/form_words/countries.csv": "names of countries, in many languages",
    "simulator/tests/project/words.py":            "the table itself",
    "simulator/tests/project/test_words.py":       "plants refused words",
}  # fmt: skip
SEPARATOR = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")


class Refused(NamedTuple):
    """A row of the table: a pattern for words in lower case, and what to write instead."""

    pattern: str
    use: str


class Found(NamedTuple):
    """A refused word in a file."""

    path: str
    line: int
    word: str
    use: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.word} -> {self.use}"


# Refused in names, comments, docstrings, messages, templates and pages. A blank in a pattern stands
# for any white space, a hyphen or an underscore; words of a name in camel case count as words.
# fmt: off
WORDS = (
    Refused(r"(?:asked|called) wrongly", "usage error"),
    Refused(r"worded so", "undefined"),
    Refused(r"whoever", "the caller, the client, the operator"),
    Refused(r"whatever (?:is|was|are|has|had|comes|becomes|became|happens|ends|runs|refers|speaks"
            r"|stands|waits|goes|needs|can|may|must|else)", "everything that, each ... that"),
    Refused(r"nobody", "no client, no caller, none"),
    Refused(r"somebody", "a client, an operator, a shopper"),
    Refused(r"strangers?", "an unauthenticated client, an unknown name"),
    Refused(r"told|tells|telling", "notify, send, report, specify, distinguish"),
    Refused(r"hears?|heard|hearing", "receive, match"),
    Refused(r"mend(?:s|ed|ing)?", "fix, repair, remediation"),
    Refused(r"marred|befall(?:s|en)?|befell|spoil(?:s|ed|t)?|mishaps?", "delivery fault, corrupt"),
    Refused(r"rouse[sd]?", "load"),
    Refused(r"far sides?", "simulators"),
    Refused(r"seats?", "ChannelContext, context"),
    Refused(r"doors?", "authenticate and validate, authenticator, entry point"),
    Refused(r"couriers?", "dispatcher"),
    Refused(r"pacers?", "scheduler"),
    Refused(r"talk(?:s|ed|ing|er)?", "exchange, messages"),
    Refused(r"the books|(?:its|their|our) books|close books|closing books",
            "ledger, reconciliation report"),
    Refused(r"unmet", "failed"),
    Refused(r"made up(?! of\b)", "generated, fictitious"),
    Refused(r"of ours", "internal, the gateway's"),
    Refused(r"of one's own", "own, separate"),
)

# Class names that the glossary replaced.
CLASSES = {
    "Ask": "AcquirerRequest",
    "Desk": "ControlContext or the like",
    "Flight": "InFlightCounter",
    "Opening": "PaymentAttempt",
    "Organs": "SandboxRuntime",
    "Pass": "Principal",
    "Plan": "AcquirerResponse",
    "Rest": "idle unloading",
    "Stamp": "AccountHierarchy",
    "Ticket": "PaymentAttempt",
    "World": "SandboxRuntime",
    "Worlds": "SandboxRegistry",
}
# fmt: on


class Exempt(NamedTuple):
    """A word that stays in a file, and why."""

    path: str
    word: str
    reason: str


# fmt: off
EXEMPT = (
    Exempt("features/gherkin/renamed_steps.py", "", "it holds the sentences of 0.1.0 as they were"),
    Exempt("simulator/client/control.py", "stranger", "a name of 0.1.0, which still works"),
    Exempt("pos_emulator/terminal/records.py", "class", "a desk, where a terminal stands"),
    Exempt("scenarios/story.py", "heard", "a member of stories of 0.1.0, which still works"),
    Exempt("simulator/catalogue/results.py", "talking", "descriptions of results stay on the wire"),
    Exempt("simulator/catalogue/results.py", "told", "descriptions of results stay on the wire"),
    Exempt("simulator/domain/journal/entries.py", "far side", "a value of the control API"),
    Exempt("simulator/domain/webhooks/records.py", "mishap", "a member of stored deliveries"),
    Exempt("pos_emulator/receipts/pdf.py", "ourier", "the name of a font"),
)
# fmt: on


def refused_words(root: Path, paths: Iterable[str]) -> list[Found]:
    """Each refused word in the files at `paths`, which are relative to `root`."""
    return [found for path in paths for found in _found_in(root, path) if not _is_exempt(found)]


def tracked_files(root: Path, *below: str) -> list[str]:
    """The files git knows at or below these paths, of kinds that hold words."""
    listed = subprocess.run(
        ["git", "ls-files", "--", *below], cwd=root, capture_output=True, text=True, check=True
    )
    return [
        path
        for path in listed.stdout.splitlines()
        if (Path(path).suffix in READ or Path(path).name == "Makefile") and path not in NOT_READ
    ]


def _found_in(root: Path, path: str) -> Iterator[Found]:
    file = root / path
    if not file.exists():
        return
    text = file.read_text(encoding="utf-8")
    plain = SEPARATOR.sub(" ", text).lower()
    for match in EVERY_WORD.finditer(plain):
        use = WORDS[int(match.lastgroup.removeprefix("row"))].use if match.lastgroup else ""
        yield Found(path, plain.count("\n", 0, match.start()) + 1, " ".join(match[0].split()), use)
    if file.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef) and node.name in CLASSES:
                yield Found(path, node.lineno, f"class {node.name}", CLASSES[node.name])


def _is_exempt(found: Found) -> bool:
    return any(row.path == found.path and row.word in found.word for row in EXEMPT)


def _pattern() -> re.Pattern[str]:
    rows = (
        f"(?P<row{number}>{row.pattern.replace(' ', BETWEEN)})" for number, row in enumerate(WORDS)
    )
    return re.compile(rf"\b(?:{'|'.join(rows)})\b")


# Between the words of a phrase: blanks, a hyphen, a line break with the sign of a comment.
BETWEEN = r"(?:-|\s+(?:#\s*)?)"
EVERY_WORD = _pattern()


def main(arguments: list[str]) -> int:
    """Print every refused word; 1 if there is any."""
    found = refused_words(ROOT, tracked_files(ROOT, *arguments))
    for each in found:
        print(each)
    print(f"{len(found)} refused words", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
