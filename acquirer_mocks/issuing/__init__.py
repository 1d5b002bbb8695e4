"""The issuer of the cards for terminals: cryptograms, PINs, counters, and commands to the card."""
