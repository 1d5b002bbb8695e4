"""The clearing institutes that a channel can name, the default one first. Choice: D-380."""

CLEARING_INSTITUTES = ("Sandgate Clearing", "Sandgate Acquiring", "Sandgate Bank")
