/* Shows that it is one's turn, and a page that says so when there is no line.
   It keeps that page and its files, and nothing else: other pages hold dice. */
"use strict";
const KNOWN = JSON.parse("{{ known_json|escapejs }}");
const SITE = KNOWN.site;
const DEVICE = KNOWN.device;
const CACHE = `perudo-${KNOWN.version}`;
const LANGUAGE = "/offline/language";
/* The name of a file that never changes. */
const HASHED = /\.[0-9a-f]{12}\.\w+$/;

/* Asked for without cookies: the kept page is nobody's. */
async function keep() {
  const cache = await caches.open(CACHE);
  const wanted = [...KNOWN.kept, ...Object.values(KNOWN.pages)];
  await cache.addAll(wanted.map((url) => new Request(url, { credentials: "omit", cache: "reload" })));
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  // Notifications work without it.
  event.waitUntil(keep().catch(() => {}));
});

async function tidy() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("perudo-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  if (self.registration.navigationPreload) await self.registration.navigationPreload.enable();
  await self.clients.claim();
}

self.addEventListener("activate", (event) => event.waitUntil(tidy()));

let language = "";

async function note(response) {
  const said = response.headers.get("Content-Language");
  if (!said || said === language || !KNOWN.pages[said]) return;
  language = said;
  await (await caches.open(CACHE)).put(LANGUAGE, new Response(said));
}

async function withoutLine() {
  const noted = await caches.match(LANGUAGE);
  const wanted = language || (noted ? await noted.text() : navigator.language.slice(0, 2));
  const page = await caches.match(KNOWN.pages[wanted] || KNOWN.pages.en, { ignoreVary: true });
  return page || Response.error();
}

/* Pages come from the site, or not at all. */
async function page(event) {
  try {
    const response = (await event.preloadResponse) || (await fetch(event.request));
    event.waitUntil(note(response));
    return response;
  } catch {
    return withoutLine();
  }
}

async function file(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept && HASHED.test(new URL(request.url).pathname)) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (pathname.startsWith(KNOWN.static)) event.respondWith(file(request));
});

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
