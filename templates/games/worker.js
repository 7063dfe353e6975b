/* Shows that it is one's turn. It answers no request and keeps no page: pages hold dice. */
"use strict";
const SITE = "{{ SITE_NAME|escapejs }}";
const DEVICE = "{% url 'device' %}";

function told(data) {
  try {
    return data.json().notification || {};
  } catch {
    return {}; // Nothing, or nothing of ours: a browser wants to see something shown all the same.
  }
}

function ownAddress(text) {
  const address = new URL(text || "/", self.location.origin);
  return address.origin === self.location.origin ? address.href : self.location.origin;
}

self.addEventListener("push", (event) => {
  const { title, navigate, tag, lang } = told(event.data);
  const about = { lang: lang || "", data: { url: ownAddress(navigate) } };
  // The next turn in a game takes the place of the one before, and is heard.
  if (tag) Object.assign(about, { tag, renotify: true });
  event.waitUntil(self.registration.showNotification(title || SITE, about));
});

async function open(url) {
  for (const page of await self.clients.matchAll({ type: "window", includeUncontrolled: true })) {
    if (new URL(page.url).pathname === new URL(url).pathname) return page.focus();
  }
  return self.clients.openWindow(url);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(ownAddress(event.notification.data && event.notification.data.url)));
});

/* The push service has given this browser another address: the site hears of it. */
async function renew(before, after) {
  const asked = await fetch(DEVICE, { credentials: "same-origin" });
  if (!asked.ok || asked.redirected) return; // Signed out: the settings page starts anew.
  const { key, token } = await asked.json();
  const how = { userVisibleOnly: true, applicationServerKey: key };
  const { endpoint, keys } = (after || (await self.registration.pushManager.subscribe(how))).toJSON();
  const said = { endpoint, p256dh: keys.p256dh, auth: keys.auth, replaces: before ? before.endpoint : "" };
  await fetch(DEVICE, {
    method: "POST",
    credentials: "same-origin",
    headers: { "X-CSRFToken": token },
    body: new URLSearchParams(said),
  });
}

self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(renew(event.oldSubscription, event.newSubscription));
});
