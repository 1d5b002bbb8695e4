"""`python -m features.mutants [REQUIREMENT]`: docs/makers/mutants.md, or the mutants of one."""

import sys

from features.mutants.page import guards_of, page

if __name__ == "__main__":
    wanted = sys.argv[1:]
    sys.stdout.write("".join(map(guards_of, wanted)) if wanted else page())
