"""What an attacker, or a broken program, sends: values, fields, bodies and headers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote_from_bytes

from django import forms
from hypothesis import strategies as st

SCRIPT = "\"'><script>zq()</script>{{ zq }}{% zq %}"
EVIL = (
    "https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil.example",
    "javascript:zq()", "/\t/evil.example", "https:evil.example", "http:///evil.example",
    "//evil.example@localhost/", "https://localhost@evil.example/", "///evil.example",
    "/%09/evil.example", "/%5cevil.example", " https://evil.example", "data:text/html,zq",
)  # fmt: skip
VALUES = (
    "", " ", "0", "-1", "1", "٣", "1e309", "NaN", "-0", "9" * 400, str(2**63), "-" + "9" * 30,
    "0x10", "1_0", "\x00", "a\x00b", "\r\nX-Evil: 1", "\n", "\u202egnp", "\u2066x", "\ufeff",
    "\ud800", "\udfff\ud800", "\uffff", "Z" + "\u0351" * 200, "ﷺ" * 30, "💥" * 20, "ı", "ß" * 60,
    "x" * 20_000, "on", "true", "null", "[]", "{}", "' OR 1=1 --", "%s%n%x", "../../etc/passwd",
    "%00", "%ff", "%u0000", "alice@example.org", "a@b", "@", "a" * 65 + "@example.org",
    "=?utf-8?q?x?=", "x@example.org\r\nBcc: y@example.org", "1999-99-99", "3x4", "0x0",
    "99999999999x6", "00000000-0000-0000-0000-000000000000", SCRIPT, *EVIL,
)  # fmt: skip

values = st.one_of(
    st.sampled_from(VALUES),
    st.text(max_size=30),
    # Lone surrogates too: bytes that are no UTF-8 arrive as such.
    st.text(st.characters(blacklist_categories=()), max_size=12),
    st.integers().map(str),
)


def _as_header(text: str) -> str:
    """Return ``text`` as a server hands headers on: Latin-1, without ends of lines."""
    return re.sub(r"[\r\n\x00]", "", text)[:500].encode("utf-8", "replace").decode("latin-1")


methods = st.sampled_from(["GET", "POST", "POST", "POST", "HEAD"])
headers = st.dictionaries(
    st.sampled_from(
        ["HTTP_HX_REQUEST", "HTTP_HX_CURRENT_URL", "HTTP_HX_TARGET", "HTTP_ACCEPT_LANGUAGE",
         "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST", "HTTP_REFERER",
         "HTTP_ORIGIN", "HTTP_USER_AGENT", "HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE",
         "HTTP_RANGE", "HTTP_ACCEPT", "HTTP_X_HTTP_METHOD_OVERRIDE", "HTTP_X_REQUESTED_WITH",
         "HTTP_AUTHORIZATION", "HTTP_CONTENT_ENCODING"]
    ),
    values.map(_as_header),
    max_size=3,
)  # fmt: skip


def field_names() -> list[str]:
    """Return the name of every field of every form that the site has loaded."""
    names: set[str] = {"next", "action", "version", "since", "rules", "page", "q", "id", "resend"}
    for kind in _all_forms(forms.BaseForm):
        names |= set(getattr(kind, "base_fields", {}))
    from games.forms import NewGameForm

    return sorted(names | set(NewGameForm().fields))


def _all_forms(kind: type[Any]) -> Iterator[type[Any]]:
    for each in kind.__subclasses__():
        yield each
        yield from _all_forms(each)


@dataclass
class PageForm:
    """A form as a page offers it: where it goes, and what it would send."""

    action: str
    method: str
    fields: list[tuple[str, str]] = field(default_factory=list)


class _Forms(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.page = page
        self.found: list[PageForm] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            action = given.get("action") or self.page
            self.found.append(PageForm(action, given.get("method", "get").upper()))
        elif self.found and given.get("name") and tag in ("input", "select", "textarea", "button"):
            is_off = given.get("type") in ("radio", "checkbox") and "checked" not in given
            if not is_off:
                self.found[-1].fields.append((given["name"], given.get("value", "")))
        elif self.found and tag == "option" and "selected" in given and self.found[-1].fields:
            name, _ = self.found[-1].fields[-1]
            self.found[-1].fields[-1] = (name, given.get("value", ""))


def forms_of(page: str, html: str) -> list[PageForm]:
    """Return the forms of a page that was got from the path ``page``."""
    reader = _Forms(page)
    reader.feed(html)
    return reader.found


def encode(fields: list[tuple[str, str]]) -> str:
    """Return fields as a query or a body, broken characters and all."""
    return "&".join(f"{escape(name)}={escape(value)}" for name, value in fields)


def escape(text: str) -> str:
    """Return ``text`` percent-encoded; a lone surrogate becomes bytes that are no UTF-8."""
    return quote_from_bytes(text.encode("utf-8", "surrogatepass"), safe="")


def body(fields: list[tuple[str, str]], kind: str) -> tuple[bytes, str]:
    """Return a body and its content type: of the right kind, of a wrong one, or damaged."""
    form = encode(fields).encode()
    raw = "&".join(f"{name}={value}" for name, value in fields).encode("utf-8", "surrogatepass")
    parts = b"".join(
        b'--zq\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
        % (name.encode("utf-8", "surrogatepass"), value.encode("utf-8", "surrogatepass"))
        for name, value in fields
    )
    a_file = (
        b'--zq\r\nContent-Disposition: form-data; name="f"; filename="../../x.svg"\r\n'
        b"Content-Type: image/svg+xml\r\n\r\n<svg onload=zq()>\r\n"
    )
    return {
        "form": (form, "application/x-www-form-urlencoded"),
        "raw": (raw, "application/x-www-form-urlencoded"),
        "charset": (form, "application/x-www-form-urlencoded; charset=utf-7"),
        "no-charset": (form, "application/x-www-form-urlencoded; charset=zq"),
        "multipart": (parts + a_file + b"--zq--\r\n", "multipart/form-data; boundary=zq"),
        "half": (parts[: len(parts) // 2 + 1], "multipart/form-data; boundary=zq"),
        "no-boundary": (parts, "multipart/form-data"),
        "json": (b'{"version": [1, {"a": NaN}]}', "application/json"),
        "text": (raw, "text/plain"),
        "no-type": (form, ""),
    }[kind]


KINDS = ("form", "form", "form", "raw", "charset", "no-charset", "multipart", "half",
         "no-boundary", "json", "text", "no-type")  # fmt: skip
