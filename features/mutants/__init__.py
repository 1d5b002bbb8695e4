"""The box: gateways that are broken on purpose, by which the judge is judged."""
