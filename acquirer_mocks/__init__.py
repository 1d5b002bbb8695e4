"""The far side of the gateway: acquirers that answer by behaviours."""
