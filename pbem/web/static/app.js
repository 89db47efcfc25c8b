// Registers the service worker, and keeps its offline page in the language of this page.
"use strict";

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/service-worker.js").then(async () => {
    const cache = await caches.open("offline");
    const kept = await cache.match("/offline", { ignoreVary: true });
    if (!kept || kept.headers.get("Content-Language") === document.documentElement.lang) return;
    const fresh = await fetch("/offline", { cache: "reload" });
    if (!fresh.ok) return;
    await cache.delete("/offline", { ignoreVary: true });
    await cache.put("/offline", fresh);
  }).catch(() => {});
}
