/* Whoever logs out is shown nothing on this device any more, whoever sits at it next. */
"use strict";
(async () => {
  const form = document.querySelector("form[data-logout]");
  if (!form || !("serviceWorker" in navigator && "PushManager" in window)) return;
  const registration = await navigator.serviceWorker.getRegistration("/");
  const subscription = registration && (await registration.pushManager.getSubscription());
  if (!subscription) return;
  form.elements.device.value = subscription.endpoint;
  form.addEventListener("submit", () => subscription.unsubscribe());
})();
