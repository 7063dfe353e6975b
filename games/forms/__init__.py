"""Forms check the shape of what was sent; whether it may be done, the services and rules decide."""

from games.forms.clock import ClockForm
from games.forms.contribution import ContributionForm
from games.forms.invite import InviteForm
from games.forms.move import SentMove
from games.forms.new_game import NewGameForm

__all__ = ["ClockForm", "ContributionForm", "InviteForm", "NewGameForm", "SentMove"]
