"""The floors: the same work written the obvious way, with nothing of ours in it."""
