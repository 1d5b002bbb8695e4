"""What may be shown of requests and answers: without card numbers, secrets and control signs."""
