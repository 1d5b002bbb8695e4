"""`python -m features.mutants` prints docs/mutants.md; with a requirement's id, what guards it."""

import sys

from features.mutants.page import guards_of, page

if __name__ == "__main__":
    wanted = sys.argv[1:]
    sys.stdout.write("".join(map(guards_of, wanted)) if wanted else page())
