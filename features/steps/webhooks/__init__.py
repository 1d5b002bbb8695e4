"""Steps about webhooks: notifications, and the receivers that take them."""
