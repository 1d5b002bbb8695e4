"""Commands over streams: `sandgate report` and `sandgate coverage`."""
