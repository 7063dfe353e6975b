"""What providers say about who a mail is from, in the words of RFC 8601.

Only what a provider tells beside the mail counts. A header that it adds inside (Mailgun's
``X-Mailgun-Spf``) anybody can write into his own mail.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

_SES: Final = {"PASS": "pass", "FAIL": "fail", "GRAY": "none", "PROCESSING_FAILED": "temperror"}
_PASSED_DKIM: Final = re.compile(r"@([^\s:{},]+)\s*:\s*pass\b", re.IGNORECASE)


def verdicts(provider: str, event: Any) -> dict[str, str] | None:
    """Return what is told of ``spf``, ``dkim`` and ``dmarc``; None: nothing.

    A value is the result and, where it is known, the domain that it is about: "pass example.org".
    """
    read = _READERS.get(provider)
    return (read(event) or None) if read else None


def _amazon_ses(event: Any) -> dict[str, str]:
    receipt = event.esp_event.get("receipt", {})
    found = {}
    for name in ("spf", "dkim", "dmarc"):
        status = receipt.get(f"{name}Verdict", {}).get("status", "").upper()
        if status in _SES:
            found[name] = _SES[status]
    if "spf" in found:
        found["spf"] = _with(found["spf"], _domain(event.message.envelope_sender))
    return found


def _sendgrid(event: Any) -> dict[str, str]:
    fields: Mapping[str, str] = event.esp_event.POST
    found = {}
    if spf := fields.get("SPF", "").strip().lower():
        found["spf"] = _with(spf, _domain(event.message.envelope_sender))
    # "{@example.org : pass, @lists.example.org : fail}"
    if dkim := fields.get("dkim", "").strip():
        passed = [domain.lower() for domain in _PASSED_DKIM.findall(dkim)]
        written_by = _domain(str(event.message.get("From", "")))
        # One of several may be the writer's own; the others say nothing about him.
        best = written_by if written_by in passed else next(iter(passed), "")
        found["dkim"] = _with("pass", best) if passed else "none" if dkim == "none" else "fail"
    return found


def _mandrill(event: Any) -> dict[str, str]:
    spf = (event.esp_event.get("msg", {}).get("spf") or {}).get("result")
    # Its "dkim" tells neither whose signature it is nor, then, whether it means anything; and whose
    # SPF it was, the envelope's sender, it does not tell either.
    return {"spf": str(spf).lower()} if spf else {}


def _with(result: str, domain: str) -> str:
    return f"{result} {domain}".strip()


def _domain(address: str | None) -> str:
    return (address or "").rpartition("@")[2].strip(" <>").lower()


_READERS: Final[dict[str, Callable[[Any], dict[str, str]]]] = {
    "Amazon SES": _amazon_ses,
    "SendGrid": _sendgrid,
    "Mandrill": _mandrill,
}
