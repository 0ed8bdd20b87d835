document.addEventListener("DOMContentLoaded", () => {
  for (const toggle of document.querySelectorAll("summary:has(.toctree-toggle)")) { // the theme gives them no name
    const page = toggle.closest("li").querySelector("a");
    toggle.ariaLabel = page ? `Pages below ${page.textContent.trim()}` : "Pages below";
  }
  if (VERSIONS.length < 2) return;
  for (const shown of document.querySelectorAll("span.site-version")) {
    const menu = document.createElement("select");
    menu.className = "site-version";
    menu.ariaLabel = "Version of this documentation";
    for (const version of VERSIONS) menu.add(new Option(version, version, false, version === shown.dataset.version));
    menu.addEventListener("change", async () => {
      const there = new URL(`${shown.dataset.root}../${menu.value}/`, location.href);
      const page = new URL(shown.dataset.page, there);
      const found = await fetch(page, { method: "HEAD" }).then((answer) => answer.ok, () => false);
      location.href = found ? page : new URL("index.html", there);
    });
    shown.replaceWith(menu);
  }
});
