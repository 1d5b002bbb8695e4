"""ZVT, the interface that tills in Germany, Austria and Switzerland speak over TCP."""
