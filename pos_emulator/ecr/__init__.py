"""The interfaces by which a till orders payments at a terminal."""
