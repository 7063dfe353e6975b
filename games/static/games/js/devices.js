/* Notifications on this device: asked for on a click, and never before. */
"use strict";
(() => {
  const card = document.querySelector("[data-devices]");
  if (!card) return;
  const { key, worker, device } = card.dataset;
  const button = card.querySelector("[data-turn-on]");

  /* One sentence stands there: the one of the state that this browser is in. */
  function say(state) {
    for (const line of card.querySelectorAll("[data-state]")) line.hidden = line.dataset.state !== state;
    button.hidden = !["off", "failed"].includes(state);
  }

  async function digest(endpoint) {
    const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
    return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  async function current() {
    const registration = await navigator.serviceWorker.getRegistration("/");
    return registration ? registration.pushManager.getSubscription() : null;
  }

  function isOurs(subscription) {
    const bytes = new Uint8Array(subscription.options.applicationServerKey || []);
    const text = btoa(String.fromCharCode(...bytes));
    return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === key;
  }

  async function subscribe() {
    await navigator.serviceWorker.register(worker, { scope: "/" });
    const { pushManager } = await navigator.serviceWorker.ready;
    const before = await pushManager.getSubscription();
    if (before && isOurs(before)) return before;
    if (before) await before.unsubscribe(); // Made for a key that the site has no more.
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  }

  async function turnOn() {
    if ((await Notification.requestPermission()) !== "granted") return say("denied");
    const { endpoint, keys } = (await subscribe()).toJSON();
    const said = { endpoint, p256dh: keys.p256dh, auth: keys.auth };
    const token = card.querySelector("[name=csrfmiddlewaretoken]").value;
    const answer = await fetch(device, {
      method: "POST",
      headers: { "X-CSRFToken": token },
      body: new URLSearchParams(said),
    });
    if (!answer.ok || answer.redirected) throw new Error(`status ${answer.status}`);
    location.assign(location.pathname);
  }

  async function begin() {
    if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return say("none");
    if (Notification.permission === "denied") return say("denied");
    const subscription = await current();
    const line = subscription && card.querySelector(`[data-digest="${await digest(subscription.endpoint)}"]`);
    if (!line || !isOurs(subscription)) return say("off");
    line.querySelector("[data-this]").hidden = false;
    // Whoever removes this device wants this browser to forget it too.
    line.querySelector("[data-remove]").addEventListener("submit", () => subscription.unsubscribe());
    say("on");
  }

  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await turnOn();
    } catch {
      say("failed"); // No push service in reach, or ours did not take it.
    }
    button.disabled = false;
  });
  begin().catch(() => say("failed"));
})();
