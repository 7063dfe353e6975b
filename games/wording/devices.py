"""Devices in words: what a browser calls itself, made short enough for a list."""

import re

_BROWSERS = (
    # What others also say of themselves comes last.
    ("Edge", re.compile(r"\bEdgA?(?:iOS)?/")),
    ("Opera", re.compile(r"\bOPR/")),
    ("Samsung Internet", re.compile(r"\bSamsungBrowser/")),
    ("Firefox", re.compile(r"\b(?:Firefox|FxiOS)/")),
    ("Chrome", re.compile(r"\b(?:Chrome|Chromium|CriOS|HeadlessChrome)/")),
    ("Safari", re.compile(r"\bSafari/")),
)
_SYSTEMS = (
    ("Android", re.compile(r"\bAndroid\b")),
    ("iPhone", re.compile(r"\biPhone\b")),
    ("iPad", re.compile(r"\biPad\b")),
    ("Windows", re.compile(r"\bWindows\b")),
    ("Mac", re.compile(r"\bMacintosh\b")),
    ("ChromeOS", re.compile(r"\bCrOS\b")),
    ("Linux", re.compile(r"\bLinux\b")),
)


def device_name(user_agent: str) -> str:
    """Return browser and system, as "Firefox · Android"; nothing where neither is known."""
    found = (
        next((name for name, sign in signs if sign.search(user_agent)), "")
        for signs in (_BROWSERS, _SYSTEMS)
    )
    return " · ".join(filter(None, found))
