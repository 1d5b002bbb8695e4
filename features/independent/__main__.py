"""`python -m features.independent` serves the gateway and prints how to reach it."""

import json
import time

from features.independent.server import serving

if __name__ == "__main__":
    with serving() as target:
        print(json.dumps(target), flush=True)
        while True:
            time.sleep(3600)
