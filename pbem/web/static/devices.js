// Notifications on this device: asks the browser for a subscription, and sends it with the form of the page.
"use strict";

const form = document.querySelector("form[data-push]");
const possible = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

if (form && possible) {
  const said = form.querySelector("[data-said]");
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    said.hidden = true;
    try {
      if (await Notification.requestPermission() !== "granted") throw new DOMException("denied", "NotAllowedError");
      await navigator.serviceWorker.register("/service-worker.js");
      const { pushManager } = await navigator.serviceWorker.ready;
      // One that is left over may belong to an earlier key of the service.
      await (await pushManager.getSubscription())?.unsubscribe();
      const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(form.dataset.push) });
      form.elements.subscription.value = JSON.stringify(subscription);
      form.submit();
    } catch (fault) {
      said.textContent = fault.name === "NotAllowedError" ? form.dataset.denied : form.dataset.failed;
      said.hidden = false;
    }
  });
} else if (form) {
  document.querySelector("[data-no-push]").hidden = false;
}
