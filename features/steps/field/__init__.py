"""Steps about the profile `field`: what existing clients send and expect."""
