"""HTML is read as its reader sees it, and only as far as that is certain."""

import pytest

from games.replies import Reason, Unread, command_of, read
from tests.unit.replies.letters import marked, said, with_parts

pytestmark = pytest.mark.one_database


@pytest.mark.parametrize(
    "document",
    [
        "<head><style>p{}</style><title>dudo</title><meta x></head><body><p>5 fours</p>",
        "<!-- dudo --><!--> <script>dudo</script>5 <i>fours</i><hr>dudo",
        '<div style="display:none">dudo</div><p hidden>dudo</p><p>5 fours</p>',
        "<s>dudo</s><del>calza</del> 5 fours",
        '<span style="text-decoration:line-through">dudo</span> 5 fours',
        '<div style="DISPLAY : none"><div>dudo</div>dudo</div>5 fours',
        "<table><tr><td>5 fours</td><td>dudo</td></tr></table>",
        "<pre>5 fours\ndudo</pre>",
        "5&#32;f&#111;urs<br/>dudo",
        '<a title="</p>dudo<p>">5 fours</a>',
        "<![if !mso]>5 fours<![endif]>",
        "<p>5 fours<o:p></o:p></p><p>dudo</p>",
        '5 fours<blockquote type="cite">dudo</blockquote>',
        '5 fours<div class="x gmail_quote">dudo</div>',
        '5 fours<div class="moz-cite-prefix">dudo</div>',
        '5 fours<div id="x_divRplyFwdMsg">dudo</div>',
        '5 fours<div id="appendonsend"></div>dudo',
        '5 fours<div class="yahoo_quoted">dudo</div>',
        '5 fours<div class="protonmail_quote">dudo</div>',
        '5 fours<div data-marker="__QUOTED_TEXT__">dudo</div>',
    ],
)
def test_the_html_line_is_the_one_its_reader_sees(document: str) -> None:
    assert said(with_parts(marked(document))) == "5x4"


@pytest.mark.parametrize(
    "document",
    [
        '<div class="gmail_quote">us</div>5 fours',
        '<blockquote type="cite">us</blockquote><div>5 fours</div>',
        "<p>##- reply above this line -##</p><p>5 fours</p>",
        "<p><b>From:</b> us</p>5 fours",
    ],
)
def test_html_below_the_quote_is_not_looked_at(document: str) -> None:
    refused = command_of(read(with_parts(marked(document))))
    assert isinstance(refused, Unread)
    assert refused.reason is Reason.BOTTOM_POST


@pytest.mark.parametrize(
    "document",
    [
        "5 fours <a href='x",
        "5 fours <a <b> don't",
        "5 fours" + "<b></b>" * 30_000 + " don't",
        "5 fours" + " " * 9_000 + "don't",
        "5 fours" + "&nbsp;" * 9_000 + "don't",
        "5 < fours",
    ],
)
def test_html_that_is_not_read_to_the_end_of_its_line_is_no_command(document: str) -> None:
    assert said(with_parts(marked(document))).startswith("unread")
