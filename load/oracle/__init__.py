"""The throttle oracle: which requests a throttled gateway had to reject or to admit."""
