"""What happens at the edge. Measured, these are no skill: they are shown for fun and say so."""

from games.stats.facts import Facts
from games.stats.sums import NOTHING, Part, count_of


def clutch(facts: Facts) -> Part:
    """Return rounds survived with one die / rounds begun with one die."""
    return count_of(not each.lost for each in facts.rounds if each.dice == 1)


def comeback(facts: Facts) -> Part:
    """Return games won after having had one die / games with one die."""
    if facts.result is None or not facts.had_one_die:
        return NOTHING
    return Part(int(facts.result.place == 1), 1)


def palifico(facts: Facts) -> Part:
    """Return own palifico rounds without a loss / own palifico rounds."""
    return count_of(not each.lost for each in facts.rounds if each.is_his_palifico)


def longest_survival(facts: Facts) -> int:
    """Return the most rounds in a row that he survived with one die."""
    best = now = 0
    for each in facts.rounds:
        now = now + 1 if each.dice == 1 and not each.lost else 0
        best = max(best, now)
    return best
