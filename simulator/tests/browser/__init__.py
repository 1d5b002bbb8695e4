"""Tests that go the way of a shopper, in a browser."""
