"""What a page shows to be pasted means the same in every shell, zsh with its defaults among them.

An interactive zsh passes `# comment` to the command as arguments, and refuses a word with an
unquoted `?`, `*` or `[` that matches no file.
"""

import re
from collections.abc import Iterator

from simulator.tests.kit.trees import ROOT
from simulator.tests.project.test_readme import PAGES

PASTED = re.compile(r"^```(console|sh|bash)\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)", re.MULTILINE)
SINGLE_QUOTED = re.compile(r"'[^']*'")
DOUBLE_QUOTED = re.compile(r'"(?:\\.|\$\([^()]*\)|[^"\\])*"')
SUBSTITUTED = re.compile(r"\$\([^()]*\)")
VARIABLE = re.compile(r"\$(?:\{[^}]*\}|[?!#*@$])")
# A pattern of file names, or a comment, where nothing quotes it.
READ_BY_THE_SHELL = re.compile(r"[?*\[]|(?:^|\s)#", re.MULTILINE)


def pasted(text: str) -> Iterator[str]:
    """The commands that a page shows."""
    for kind, body in PASTED.findall(text):
        yield from COMMAND.findall(body) if kind == "console" else [body]


def unquoted(command: str) -> str:
    """A command without what stands in quotes; of double ones the substitutions stay."""
    bare = SINGLE_QUOTED.sub("", command)
    bare = DOUBLE_QUOTED.sub(lambda quoted: " ".join(SUBSTITUTED.findall(quoted[0])), bare)
    return VARIABLE.sub("", bare)


def is_the_same_everywhere(command: str) -> bool:
    return READ_BY_THE_SHELL.search(unquoted(command)) is None


def test_every_command_of_a_page_means_the_same_in_every_shell():
    assert [
        f"{page.relative_to(ROOT)}: {command}"
        for page in PAGES
        for command in pasted(page.read_text(encoding="utf-8"))
        if not is_the_same_everywhere(command)
    ] == []


def test_what_shells_read_differently_is_noticed():
    assert not is_the_same_everywhere("pip install .   # or: pipx install .")
    assert not is_the_same_everywhere("curl http://127.0.0.1/?a=b")
    assert not is_the_same_everywhere('trace "$(member payments[0].id < found.json)"')
    assert is_the_same_everywhere('curl -s "$URL?a=$ID" -d \'[0]\' -d "#"; echo $? $!')
