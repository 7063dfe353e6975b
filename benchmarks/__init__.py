"""Benchmarks: our own CPU time beside that of a floor, in one run (docs/performance.md)."""
