"""Forms check the shape of what was sent; whether it may be done, the services and rules decide."""

from games.forms.clock import ClockForm
from games.forms.contribution import ContributionForm
from games.forms.hours import AbsenceForm, HoursForm
from games.forms.invite import InviteForm
from games.forms.move import SentMove
from games.forms.new_game import NewGameForm
from games.forms.notices import DeviceForm, NoticesForm, WebhookAddressForm
from games.forms.order import OrderChoicesForm, OrderTextForm

__all__ = [
    "AbsenceForm",
    "ClockForm",
    "ContributionForm",
    "DeviceForm",
    "HoursForm",
    "InviteForm",
    "NewGameForm",
    "NoticesForm",
    "OrderChoicesForm",
    "OrderTextForm",
    "SentMove",
    "WebhookAddressForm",
]
