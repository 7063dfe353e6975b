"""Notifications on devices: where a browser tells of itself."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.csrf import get_token
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games import wording
from games.forms import DeviceForm
from games.services import devices, pushes
from games.views.access import player_of, signed_in


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def device(request: HttpRequest) -> HttpResponseBase:
    """Tell a browser the site's key and a token for its form; a POST keeps its subscription.

    Only scripts of this site can read the token, and only with it the POST is taken.
    """
    key = pushes.public_key()
    if not key:
        raise Http404
    if request.method != "POST":
        return JsonResponse({"key": key, "token": get_token(request)})
    form = DeviceForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"errors": form.errors.get_json_data()}, status=422)
    said = form.cleaned_data
    new = devices.NewDevice(
        endpoint=said["endpoint"],
        p256dh=said["p256dh"],
        auth=said["auth"],
        name=wording.device_name(request.headers.get("User-Agent", "")),
    )
    devices.keep(
        user_id=player_of(request).user_id,
        device=new,
        replaces=said["replaces"],
        now=timezone.now(),
    )
    return HttpResponse(status=204)
