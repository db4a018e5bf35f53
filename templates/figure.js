"use strict";
// Each figure is drawn when it comes into view; its room is kept from the start, so that links into the page hold.
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    seen.unobserve(entry.target);
    const spec = specOf(entry.target);
    Plotly.newPlot(entry.target.querySelector(".plot"), spec.data, spec.layout, { displaylogo: false, responsive: false });
  }
});
function specOf(section) {
  return JSON.parse(section.querySelector(".spec").textContent);
}
for (const section of document.querySelectorAll(".plotted")) {
  section.querySelector(".plot").style.height = specOf(section).layout.height + "px";
  seen.observe(section);
}
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
