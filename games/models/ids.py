"""Identifiers that nobody can guess."""

import secrets

# Crockford's alphabet: no i, l, o, u, so that a code can be read aloud and typed back.
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def new_code() -> str:
    """Return ten characters (50 bits) that name a game in addresses and mails."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(10))


def new_token() -> str:
    """Return 26 characters (130 bits) that let their holder do one thing."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(26))


def new_gid() -> str:
    """Return the 16 random bytes that name a game in the dice protocol, as hex digits."""
    return secrets.token_hex(16)
