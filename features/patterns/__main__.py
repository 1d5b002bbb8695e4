"""`python -m features.patterns [REQUIREMENT PATTERN]`: docs/makers/patterns.md, or one cell."""

import sys

from features.patterns.page import render_cell, render_page

if __name__ == "__main__":
    wanted = sys.argv[1:]
    sys.stdout.write(render_cell(*wanted) if len(wanted) == 2 else render_page())
