"""`python -m features.reference_gateway` serves the gateway and prints how to reach it."""

import json
import time

from features.reference_gateway.server import serving

if __name__ == "__main__":
    with serving() as target:
        print(json.dumps(target), flush=True)
        while True:
            time.sleep(3600)
