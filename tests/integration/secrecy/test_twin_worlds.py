"""Nothing that leaves the program depends on a die that its reader may not see.

A scripted game is played in twin worlds (:mod:`tests.integration.secrecy.worlds`). Every address
is then read by every kind of viewer in every language: status, headers, cookies, body, statements,
cache and log must be the same to the byte, and so must everything that was written on the way.
"""

import pytest

from tests.integration.secrecy.tours import differences, look
from tests.integration.secrecy.worlds import World

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(300)]

SEATED = ("alice", "bob", "carol")
"""To answer, has bid, eliminated."""
ONLOOKERS = ("sam", "olga", "nobody")
"""A superuser, a stranger with an account, and one without."""
OWN_DICE = ("turn", "reminder")
"""The mails that may hold their reader's own dice."""

TAPS = {"statement", "task", "broker", "mail", "push", "export"}


@pytest.fixture(autouse=True)
def _warm() -> None:
    """Let what is made once a process be made before the twins are compared."""
    if not _made:
        look(World(), ("nobody",), ["en"])
        _made.append(True)


_made: list[bool] = []


@pytest.mark.parametrize("viewer", ONLOOKERS)
def test_an_onlooker_gets_the_same_bytes_whatever_lies_under_the_cups(viewer: str) -> None:
    one = look(World(), (viewer,))
    other = look(World(other=1), (viewer,))
    assert len(one.answers) > 200
    assert one.answers.keys() == other.answers.keys()
    assert differences(one.answers, other.answers) == []


@pytest.mark.parametrize("viewer", SEATED)
def test_a_player_gets_the_same_bytes_whatever_the_others_hold(viewer: str) -> None:
    one = look(World(), (viewer,))
    other = look(World(other=1, spare=viewer), (viewer,))
    assert one.answers.keys() == other.answers.keys()
    assert differences(one.answers, other.answers) == []
    mine = [letter for letter in one.letters if viewer in letter[1]]
    assert mine == [letter for letter in other.letters if viewer in letter[1]]
    assert len(mine) >= 5


def test_what_is_written_sent_logged_cached_and_dumped_is_the_same() -> None:
    one = look(World(), ())
    other = look(World(other=1), ())
    for before, after in zip(one.written, other.written, strict=True):
        if before[0] == after[0] == "mail":
            continue  # a player's own dice are in his own mails: the tests above look at these
        assert before == after, f"{before[0]} differs"
    assert {tap for tap, _ in one.written} >= TAPS
    for (kind, to, text), (*_, changed) in zip(one.letters, other.letters, strict=True):
        assert text.partition("\n\n")[0] == changed.partition("\n\n")[0], f"headers of {kind}"
        assert kind in OWN_DICE or text == changed, f"{kind} to {to}"


@pytest.mark.parametrize(("viewer", "spare"), [("nobody", None), ("alice", "alice")])
def test_not_one_bit_of_a_hidden_die_shows_at_the_table(viewer: str, spare: str | None) -> None:
    """A hint such as "this bid holds" is the same in most pairs: so here are extreme ones."""
    one = look(World(), (viewer,), ["en"], short=True)
    assert len(one.answers) > 15
    for other in (3, *range(6, 12)):
        twin = look(World(other=other, spare=spare), (viewer,), ["en"], short=True)
        assert differences(one.answers, twin.answers) == [], other


def test_the_length_of_a_players_own_pages_tells_nothing_of_his_dice() -> None:
    one = look(World(), ("alice",), ["en", "fr"], short=True)
    changed, longer = 0, set()
    for other in (1, 3, *range(6, 12)):
        twin = look(World(other=other, spare="bob"), ("alice",), ["en", "fr"], short=True)
        for key, answer in one.answers.items():
            changed += twin.answers[key].body != answer.body
            if len(twin.answers[key].body) != len(answer.body):
                longer.add(key)
    assert changed > 20
    # One page in a hundred happens to end where the next kilobyte begins.
    assert len(longer) <= 1, longer


def test_nothing_is_kept_of_a_page_that_its_next_reader_could_get() -> None:
    """Alice reads, then bob, then a stranger: whatever a cache kept of her cup would show."""
    readers = ("alice", "bob", "nobody")
    one = look(World(), readers, ["en"], short=True, one_by_one=False)
    other = look(World(other=1, spare="bob"), readers, ["en"], short=True, one_by_one=False)
    for key, answer in other.answers.items():
        assert answer.behind == one.answers[key].behind, key
        if key[0] != "alice":
            assert answer == one.answers[key], key


def test_the_twins_do_differ_for_those_who_may_see_it() -> None:
    """The tests above would prove nothing if other dice changed nothing."""
    one = look(World(), ("alice",), ["en"])
    other = look(World(other=1, spare="bob"), ("alice",), ["en"])
    differ = {line.partition(": ")[0] for line in differences(one.answers, other.answers)}
    table = f"alice en /g/{one.code}/"
    assert table in differ, "alice's own cup is on her table"
    assert f"{table}rounds/2/" in differ, "and in a round gone by"
    mine = [letter for letter in one.letters if letter[0] == "turn" and "alice" in letter[1]]
    theirs = [letter for letter in other.letters if letter[0] == "turn" and "alice" in letter[1]]
    assert mine != theirs, "and in her mail"
