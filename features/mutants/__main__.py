"""`python -m features.mutants [REQUIREMENT]`: docs/makers/mutants.md, or the mutants of one."""

import sys

from features.mutants.page import render_mutants_of, render_page

if __name__ == "__main__":
    wanted = sys.argv[1:]
    sys.stdout.write("".join(map(render_mutants_of, wanted)) if wanted else render_page())
