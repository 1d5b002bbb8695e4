"""The console: the people who use it, what each may do, and what they did with secrets."""
