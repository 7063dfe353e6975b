#!/usr/bin/env python
"""Run administrative commands."""

import os
import sys


def main() -> None:
    """Run the command that was asked for."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # A setting is missing or wrong: that needs a sentence, not where Python noticed it.
        sys.exit(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
