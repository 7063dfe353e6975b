"""What the site's page of statistics shows, made of the sums of all its games."""

from dataclasses import dataclass

from games import charts, stats
from games.wording.dice import face_name
from games.wording.ratings import seats_title
from games.wording.rulesets import ruleset_title
from games.wording.statistics import band_text, count_text, number_text, share_text

KNOWN_RULES = ("piatnik", "bga", "asmodee", "wikipedia", "custom")
SIZES = range(2, 11)


@dataclass(frozen=True, slots=True)
class SharedRow:
    """A count, and its share of the whole."""

    words: str
    count: str
    share: str


@dataclass(frozen=True, slots=True)
class CallRow:
    """How often a call was right: the share, its band and the number of calls."""

    share: str
    band: str
    of: str


@dataclass(frozen=True, slots=True)
class SitePage:
    """The page; charts are None where there is nothing to draw."""

    games: str
    rounds: str
    rounds_a_game: str
    bids_a_round: str
    palifico: str
    dudo: CallRow | None
    calza: CallRow | None
    faces: charts.Columns | None
    face_rows: tuple[SharedRow, ...]
    quantities: charts.Columns | None
    quantity_rows: tuple[SharedRow, ...]
    rules: tuple[SharedRow, ...]
    sizes: tuple[SharedRow, ...]


def page_of(sums: stats.Sums) -> SitePage:
    """Return the page."""

    def part(code: str) -> stats.Part:
        return sums.get(code, stats.NOTHING)

    games, rounds, bids = part("games").value, part("rounds").value, part("bids").value
    faces = [(face_name(face), part(f"face_{face}").value) for face in range(1, 7)]
    most = stats.MOST_QUANTITY
    quantities = [
        (str(many) if many < most else f"{many}+", part(f"quantity_{many}").value)
        for many in range(1, most + 1)
    ]
    while quantities and not quantities[-1][1]:
        quantities.pop()
    return SitePage(
        games=count_text(games),
        rounds=count_text(rounds),
        rounds_a_game=number_text(rounds / games, places=1) if games else "",
        bids_a_round=number_text(bids / rounds, places=1) if rounds else "",
        palifico=share_text(part("palifico").value / rounds) if rounds else "",
        dudo=_call(part("dudo_right")),
        calza=_call(part("calza_right")),
        faces=_columns(faces, bids),
        face_rows=_rows(faces, bids),
        quantities=_columns(quantities, bids),
        quantity_rows=_rows(quantities, bids),
        rules=_rows(
            [(ruleset_title(name), part(f"rules_{name}").value) for name in KNOWN_RULES], games
        ),
        sizes=_rows([(seats_title(size), part(f"seats_{size}").value) for size in SIZES], games),
    )


def _call(part: stats.Part) -> CallRow | None:
    if part.of < stats.LEAST_OCCASIONS:
        return None
    low, high = stats.wilson(part.value, part.of)
    return CallRow(
        share=share_text(part.value / part.of),
        band=band_text(share_text(low), share_text(high)),
        of=count_text(part.of),
    )


def _columns(counted: list[tuple[str, int]], whole: int) -> charts.Columns | None:
    return charts.columns(counted) if whole else None


def _rows(counted: list[tuple[str, int]], whole: int) -> tuple[SharedRow, ...]:
    return tuple(
        SharedRow(words, count_text(count), share_text(count / whole))
        for words, count in counted
        if count
    )
