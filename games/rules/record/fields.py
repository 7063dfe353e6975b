"""Take typed values out of one line of a record, and notice what nobody asked for."""

from collections.abc import Mapping

from games.rules.bid import Bid
from games.rules.errors import RuleViolation
from games.rules.record.lines import RecordError, shown
from games.rules.state import Cup

MAX_DICE = 8
MAX_BID_TEXT = 12


class Fields:
    """The fields of the object on line ``line``; every fault is a RecordError that names it."""

    def __init__(self, line: int, values: Mapping[str, object]) -> None:
        """Remember the line's values; none is asked for yet."""
        self.line = line
        self._values = values
        self._asked: set[str] = set()

    def __contains__(self, key: str) -> bool:
        """Tell whether the line has ``key``."""
        return key in self._values

    def done(self) -> None:
        """Refuse keys that nobody asked for."""
        for key in self._values:
            if key not in self._asked:
                raise RecordError(self.line, f"The key {shown(key)} is unknown here.")

    def value(self, key: str) -> object:
        """Return the raw value of ``key``."""
        self._asked.add(key)
        if key not in self._values:
            raise RecordError(self.line, f'"{key}" is missing.')
        return self._values[key]

    def text(self, key: str) -> str:
        """Return a string."""
        value = self.value(key)
        if not isinstance(value, str):
            raise self._wrong(key, "a text", value)
        return value

    def flag(self, key: str) -> bool:
        """Return true or false."""
        value = self.value(key)
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false", value)
        return value

    def integer(self, key: str, low: int, high: int) -> int:
        """Return a whole number from ``low`` to ``high``."""
        return self.within(key, self.value(key), low, high)

    def within(self, key: str, value: object, low: int, high: int) -> int:
        """Return ``value``, found under ``key``, if it is an int from ``low`` to ``high``."""
        if type(value) is not int or not low <= value <= high:
            raise self._wrong(key, f"a whole number from {low} to {high}", value)
        return value

    def integer_or_none(self, key: str, low: int, high: int) -> int | None:
        """Return a whole number from ``low`` to ``high``, or None."""
        return None if self.value(key) is None else self.integer(key, low, high)

    def flag_or_none(self, key: str) -> bool | None:
        """Return true, false or None."""
        return None if self.value(key) is None else self.flag(key)

    def items(self, key: str, least: int, most: int) -> list[object]:
        """Return a list of ``least`` to ``most`` items."""
        value = self.value(key)
        if not isinstance(value, list) or not least <= len(value) <= most:
            size = f"{least}" if least == most else f"{least} to {most}"
            raise self._wrong(key, f"a list of {size} items", value)
        return value

    def mapping(self, key: str) -> dict[str, object]:
        """Return an object."""
        value = self.value(key)
        if not isinstance(value, dict):
            raise self._wrong(key, "an object", value)
        return value

    def cup(self, key: str, value: object) -> Cup:
        """Return ``value``, found under ``key``, as the dice of one cup."""
        if not isinstance(value, list) or len(value) > MAX_DICE:
            raise self._wrong(key, f"a list of at most {MAX_DICE} dice", value)
        return tuple(self.within(key, die, 1, 6) for die in value)

    def bid(self, key: str) -> Bid:
        """Return a bid, written like ``4x5``."""
        text = self.text(key)
        # Only the one canonical spelling, so that what is read is written back the same.
        try:
            bid = Bid.parse(text) if len(text) <= MAX_BID_TEXT else None
        except RuleViolation:
            bid = None
        if bid is None or str(bid) != text:
            raise self._wrong(key, "a bid like 4x5", text)
        return bid

    def _wrong(self, key: str, wanted: str, value: object) -> RecordError:
        return RecordError(self.line, f'"{key}" must be {wanted}, not {shown(value)}.')
