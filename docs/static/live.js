// Draws the widgets that need no Python: what they show was drawn beforehand, and nobody answers what they send.
for (const place of document.querySelectorAll(".rm-live")) {
  const state = JSON.parse(place.querySelector("script").textContent), el = document.createElement("div");
  const model = { get: (name) => state[name], set(name, value) { state[name] = value; }, save_changes() {}, send() {}, on() {}, off() {} };
  explorers[+place.dataset.script].render({ model, el });
  place.firstElementChild.replaceWith(el);
}
