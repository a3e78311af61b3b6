// Names for screen readers, on every page: what a fold shows is its name, and so is what a search field shows; the search button of a narrow window is a picture and keeps its name.
addEventListener("DOMContentLoaded", () => {
  for (const named of document.querySelectorAll('summary[aria-label="Toggle hidden content"], .search-button-field[aria-label]')) named.removeAttribute("aria-label");
  for (const fold of document.querySelectorAll("li.has-children > details > summary")) fold.setAttribute("aria-label", `Pages of ${fold.closest("li").querySelector("a").textContent.trim()}`);
});
