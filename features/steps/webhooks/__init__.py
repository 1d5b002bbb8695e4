"""Steps about webhooks: notifications, and the receivers they are delivered to."""
