"""What a script holds that browsers before the sixth edition of the language cannot read."""

import re

# Texts, comments and regular expressions, in which anything may stand.
QUOTED = re.compile(
    r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|/\*.*?\*/|//[^\n]*"""
    r"""|(?<=[=(,:!&|?{};\n])\s*/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*""",
    re.DOTALL,
)
NEWER = re.compile(
    r"=>|`|\.\.\.|\*\*|\?\.(?!\d)|\?\?"
    r"|\b(?:let|const|class|async|await|yield|import|export)\s+[\w{*]|\bfor\s*\([^;)]*\bof\b"
)


def newer_syntax(script: str) -> list[str]:
    """Each piece of newer syntax, in order; most of what a parser would refuse, not all of it."""
    return [match[0] for match in NEWER.finditer(QUOTED.sub('""', script))]
