// The rules once more, in the language the agents are written in: an independent reading to compare with.
// Reads one JSON object a line, {"rule": {...}, "path": "..."}, and prints one JSON string a line.
"use strict";

const readline = require("readline");

function int32(text) {
  let h = 0;
  for (let i = 0; i < text.length; i++) h = ((h << 5) - h + text.charCodeAt(i)) | 0;
  return h;
}

function agentKey(path, { nfc, limit }) {
  const p = nfc ? path.normalize("NFC") : path;
  const s = p.replace(/[^a-zA-Z0-9]/g, "-");
  if (!limit || s.length <= limit) return s;
  return `${s.slice(0, limit)}-${Math.abs(int32(p)).toString(36)}`;
}

function piKey(path) {
  return `--${path.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

readline.createInterface({ input: process.stdin, crlfDelay: Infinity }).on("line", (line) => {
  const { path, form, ...options } = JSON.parse(line);
  const key = form === "pi" ? piKey(path) : agentKey(path, options);
  // As a file system is given it: half of a pair becomes U+FFFD.
  process.stdout.write(JSON.stringify(Buffer.from(key, "utf8").toString("utf8")) + "\n");
});
