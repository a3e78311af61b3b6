// Loaded right after embed.js, on the pages that hold a flipbook.

// embed.js brings icons of its own, with fonts at a path that is not there; the pages have theirs.
for (const style of document.querySelectorAll("style")) {
  if (style.textContent.includes("Font Awesome")) style.remove();
}

// embed.js asks a MathJax of version 2 to look for formulas in labels. There are none, and the pages have version 3.
addEventListener("DOMContentLoaded", () => { if (window.MathJax) MathJax.Hub = { Queue() {} }; });

// What a screen reader says: the name of a slider and its value in words, and the new picture when the slider moves.
const named = (handle) => {
  const slider = handle.closest(".widget-slider"), readout = slider.querySelector(".widget-readout");
  const say = () => handle.setAttribute("aria-valuetext", readout.textContent);
  readout.contentEditable = "false";
  handle.setAttribute("aria-label", slider.querySelector("label").textContent);
  new MutationObserver(say).observe(readout, { childList: true, characterData: true, subtree: true });
  say();
};
new MutationObserver(() => {
  for (const handle of document.querySelectorAll(".noUi-handle:not([aria-label])")) named(handle);
  for (const stack of document.querySelectorAll(".rm-flipbook > .widget-box:not([aria-live])")) stack.setAttribute("aria-live", "polite");
  // In a narrow window the picture scrolls, with the arrow keys as well.
  if (innerWidth <= 600) for (const content of document.querySelectorAll(".rm-flipbook .widget-html-content")) content.tabIndex = 0;
}).observe(document, { childList: true, subtree: true });
