"""HTML to the lines that its reader sees, up to where the quote begins.

A scanner that goes over the text once. A comment or a hidden element that is left open hides the
rest, as it does in a mail program; where the scanner gives up, the line can't be a command.
"""

import html
import re
from collections.abc import Iterator
from enum import Enum, auto
from types import MappingProxyType
from typing import Final

from games.replies.lines import LOST

_TAG = re.compile(r"""<(/?)([a-zA-Z][a-zA-Z0-9:-]{0,40})((?:[^<>"']++|"[^"]*+"|'[^']*+')*+)>""")
_ATTRIBUTE = re.compile(r"""([^\s=>"'/]{1,60})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});?")
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all"
    r"|line-through|font-size\s*:\s*0(?:[a-z%;\s]|$)|opacity\s*:\s*0(?:[;\s]|$)",
    re.IGNORECASE,
)

_MOST_ATTRIBUTES: Final = 4_000
"""Characters of a tag's attributes that are looked at."""

_MOST_TAGS: Final = 50_000
"""Tags after which no more is looked at."""


def _names(written: str) -> frozenset[str]:
    return frozenset(written.split())


_BLOCKS: Final = _names(
    "address article aside blockquote body br center dd div dl dt fieldset figure footer form h1 h2"
    " h3 h4 h5 h6 header hr html li main nav ol p pre section table tbody td tfoot th thead tr ul"
)
_EMPTY: Final = _names("area base br col embed hr img input link meta param source track wbr")
_UNSEEN: Final = _names(
    "applet audio button canvas datalist del iframe math noembed noframes noscript object"
    " option s script select strike style svg template textarea title video xml"
)
"""Elements whose text is not what its writer says: unseen, or struck out."""
_RAW: Final = MappingProxyType(
    {
        name: re.compile(rf"</{name}[^>]*>?", re.IGNORECASE)
        for name in ("script", "style", "textarea", "title", "noscript", "iframe", "noembed")
    }
)
"""Elements in which a tag is not a tag, and how they end."""

_QUOTE_CLASSES: Final = frozenset(
    {"gmail_quote", "gmail_attr", "moz-cite-prefix", "yahoo_quoted", "protonmail_quote"}
)
_QUOTE_IDS: Final = frozenset(
    {
        "divrplyfwdmsg",
        "appendonsend",
        "ms-outlook-mobile-reference-message",
        "mail-editor-reference-message-container",
    }
)


class _Mark(Enum):
    BREAK = auto()
    QUOTE = auto()


def lines(document: str) -> Iterator[str]:
    """Yield the lines that a reader of ``document`` sees above the first quoted mail.

    Where one begins the last line is ``>``, as in plain text.
    """
    line: list[str] = []
    for piece in _pieces(document):
        if isinstance(piece, str):
            line.append(piece)
            continue
        yield " ".join("".join(line).split())
        line = []
        if piece is _Mark.QUOTE:
            yield ">"
    yield " ".join("".join(line).split())


def _pieces(document: str) -> Iterator[str | _Mark]:
    """Yield texts as they are seen, and where a line ends or, at last, a quote begins."""
    at, depth, tags = 0, 0, 0
    hidden = ""  # the element that hides what we read, ``depth`` of its name deep
    kept = False  # line ends within <pre> are line ends
    while at < len(document) and tags < _MOST_TAGS:
        tags += 1
        begin = document.find("<", at)
        end = len(document) if begin < 0 else begin
        if end > at and not hidden:
            yield from _text(document[at:end], kept=kept)
        if begin < 0:
            return
        tag = _TAG.match(document, begin)
        if tag is None:
            after = document[begin + 1 : begin + 2]
            if after in ("!", "?"):
                comment = document.startswith("<!--", begin)
                at = _behind(document, "-->" if comment else ">", begin + 2)
                continue
            if after == "/" or after.isalpha():
                break  # a tag that never ends, or one that we don't understand
            at = begin + 1
            if not hidden:
                yield "<"
            continue
        at = tag.end()
        closes, name, attributes = bool(tag[1]), tag[2].lower(), _attributes(tag[3])
        if hidden:
            if name == hidden:
                depth += -1 if closes else 1
                hidden = hidden if depth else ""
            continue
        if not closes and _begins_quote(name, attributes):
            yield _Mark.QUOTE
            return
        if not closes and _hides(name, attributes):
            if name not in _RAW:
                hidden, depth = name, 1
                continue
            ends = _RAW[name].search(document, at)
            at = ends.end() if ends else len(document)
        elif name in _BLOCKS:
            kept = not closes if name == "pre" else kept
            yield _Mark.BREAK
    if at < len(document):
        yield LOST


def _text(run: str, *, kept: bool) -> Iterator[str | _Mark]:
    for number, line in enumerate(run.split("\n") if kept else [run]):
        if number:
            yield _Mark.BREAK
        yield _ENTITY.sub(_character, line)


def _behind(text: str, mark: str, at: int) -> int:
    """Return the place behind the next ``mark``, or the end."""
    found = text.find(mark, at)
    return len(text) if found < 0 else found + len(mark)


def _attributes(written: str) -> dict[str, str]:
    found = {
        name.lower(): quoted or single or plain
        for name, quoted, single, plain in _ATTRIBUTE.findall(written[:_MOST_ATTRIBUTES])
    }
    if re.search(r"(?:^|\s)hidden(?:\s|/|$)", written[:_MOST_ATTRIBUTES], re.IGNORECASE):
        found["hidden"] = ""
    return found


def _hides(name: str, attributes: dict[str, str]) -> bool:
    hides = "hidden" in attributes or _HIDDEN_STYLE.search(attributes.get("style", ""))
    return name not in _EMPTY and (name in _UNSEEN or bool(hides))


def _begins_quote(name: str, attributes: dict[str, str]) -> bool:
    classes = attributes.get("class", "").lower().split()
    return (
        not _QUOTE_CLASSES.isdisjoint(classes)
        or attributes.get("id", "").lower().removeprefix("x_") in _QUOTE_IDS
        or (name == "blockquote" and attributes.get("type", "").lower() == "cite")
        or attributes.get("data-marker") == "__QUOTED_TEXT__"
    )


def _character(entity: re.Match[str]) -> str:
    return html.unescape(entity[0])
