"""Run a PostgreSQL until Enter is pressed, and print where it is: `python -m
simulator.tests.adapters.postgresql`. Nothing of it stays.
"""

import sys
from contextlib import suppress

from simulator.tests.adapters.postgresql.cluster import running_cluster

if __name__ == "__main__":
    with suppress(KeyboardInterrupt), running_cluster() as cluster:
        print(f'export SANDGATE_STORE="{cluster.address()}"', flush=True)
        sys.stdin.readline()
