// Service worker: shows that it is one's turn, and a page for when the service cannot be reached. It keeps no other page,
// since pages may show hidden cards.
"use strict";

const CACHE = "offline";
const OFFLINE = "/offline";

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add(new Request(OFFLINE, { cache: "reload" }))));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate" || event.request.method !== "GET") return;
  event.respondWith(fetch(event.request).catch(async () =>
    await caches.match(OFFLINE, { ignoreVary: true }) || Response.error()));
});

self.addEventListener("push", (event) => {
  const { title, body, lang, tag, path } = event.data.json();
  const options = { body, lang, tag, renotify: true, icon: "/app-icon-192.png", data: { path } };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { href } = new URL(event.notification.data.path, self.location.origin);
  event.waitUntil((async () => {
    const open = await self.clients.matchAll({ type: "window" });
    const there = open.find((client) => client.url === href);
    return there ? there.focus() : self.clients.openWindow(href);
  })());
});
