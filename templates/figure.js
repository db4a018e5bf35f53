"use strict";
const spec = JSON.parse(document.getElementById("spec").textContent);
Plotly.newPlot("plot", spec.data, spec.layout, { displaylogo: false, responsive: false });
