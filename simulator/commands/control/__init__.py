"""Commands that steer a running gateway, or look into it, by its control API."""
