"""The leak oracle: while any test runs, no secret may turn up where it does not belong.

Seeds, keys and salts are 256 bits of chance, so finding one anywhere is a leak and never a
coincidence. :mod:`tests.oracle.derivations` notes each as it comes into being,
:mod:`tests.oracle.taps` looks into whatever leaves the program, :mod:`tests.oracle.book` knows
who may see which by now, and :mod:`tests.oracle.plugin` fails the test. ``docs/secrecy.md`` is the
map.
"""

from tests.oracle.book import Book, Kind, Leak, Place, Token, book

__all__ = ["Book", "Kind", "Leak", "Place", "Token", "book"]
