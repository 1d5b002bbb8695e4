"""Load runs: virtual users against any gateway. Locust runs in processes of its own."""
