"""The counter: a person with cards and a PIN, and a till. Page and text window share it."""
