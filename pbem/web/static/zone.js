// Fills in the time zone of this browser in forms that may create a player; on the page of one's time, offers it if its
// clock differs from that of the current zone.
const offer = document.getElementById("other-zone");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const year = new Date().getFullYear();
// Zones have several names, so compare what clocks show there in winter and in summer.
const shows = (name) => [0, 6].map((month) => new Date(Date.UTC(year, month, 1)).toLocaleString("en", { timeZone: name })).join();

document.querySelectorAll('input[type="hidden"][name="zone"][value=""]').forEach((field) => { field.value = zone || ""; });
if (offer && zone && shows(zone) !== shows(offer.dataset.zone)) {
  offer.elements.zone.value = zone;
  offer.querySelector("strong").textContent = zone.replaceAll("_", " ");
  offer.hidden = false;
}
