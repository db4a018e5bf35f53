// Searches window.lensIndex, [title, address, text] each, as you type. No request is made, so it works from disk.
(function () {
  "use strict";
  var box = document.getElementById("q");
  var hits = document.getElementById("hits");
  var status = document.getElementById("status");
  var root = document.documentElement.querySelector("link[rel=stylesheet]").getAttribute("href").replace("site.css", "");
  if (!box || !window.lensIndex) return;
  box.disabled = false;

  function plain(text) {
    return text.toLowerCase().normalize("NFKC").replace(/\u2212/g, "-").replace(/\s+/g, " ");
  }

  var entries = window.lensIndex.map(function (entry) {
    return { title: entry[0], href: root + entry[1], head: plain(entry[0]), text: plain(entry[0] + " " + entry[2]) };
  });

  function show() {
    var words = plain(box.value).trim().split(" ").filter(Boolean);
    var found = words.length ? entries.filter(function (entry) {
      return words.every(function (word) { return entry.text.indexOf(word) >= 0; });
    }) : [];
    found.sort(function (a, b) { return score(b, words) - score(a, words); });
    hits.textContent = "";
    found.slice(0, 50).forEach(function (entry) {
      var item = document.createElement("li");
      var link = document.createElement("a");
      link.href = entry.href;
      link.textContent = entry.title;
      item.appendChild(link);
      var around = document.createElement("small");
      around.textContent = excerpt(entry.text, words[0]);
      item.appendChild(around);
      hits.appendChild(item);
    });
    status.textContent = words.length ? (found.length ? "" : "Nothing has all of these words.") : "";
  }

  function score(entry, words) {
    return words.filter(function (word) { return entry.head.indexOf(word) >= 0; }).length;
  }

  function excerpt(text, word) {
    var at = Math.max(0, text.indexOf(word) - 40);
    return (at ? "… " : "") + text.slice(at, at + 120) + (at + 120 < text.length ? " …" : "");
  }

  box.addEventListener("input", show);
  show();
})();
