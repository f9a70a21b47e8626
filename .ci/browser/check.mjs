// Opens every page and chart in a real browser, at two widths and in both colour schemes, and fails with a sentence for
// each thing that a reader would stumble over: console errors, sideways scrolling, labels that overlap or are cut off, and
// serious faults that axe finds.
//
// node check.mjs [--pictures DIR] FILE-OR-FOLDER...

import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const require = createRequire(import.meta.url);
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const WIDTHS = [375, 1280];
const SCHEMES = ["light", "dark"];

const args = process.argv.slice(2);
let pictures = null;
const at = args.indexOf("--pictures");
if (at >= 0) {
  pictures = args.splice(at, 2)[1];
  fs.mkdirSync(pictures, { recursive: true });
}

function files(name) {
  if (!fs.statSync(name).isDirectory()) return [name];
  return fs
    .readdirSync(name)
    .sort()
    .flatMap((it) => files(path.join(name, it)))
    .filter((it) => it.endsWith(".html") || it.endsWith(".svg"));
}

/// Runs in the page: pairs of labels of one chart whose boxes overlap by more than a pixel each way, and labels outside it.
function labels() {
  const found = [];
  const closed = [...document.querySelectorAll("details:not([open])")];
  closed.forEach((it) => (it.open = true));
  for (const svg of document.querySelectorAll("svg")) {
    const frame = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll("text")].map((it) => [it.textContent, it.getBoundingClientRect()]);
    for (const [text, box] of boxes) {
      const out = box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
      if (out) found.push(`"${text}" leaves the picture`);
    }
    // A line of text is higher than its letters: a fifth of the box is air.
    boxes.forEach(([one, a], k) => {
      for (const [other, b] of boxes.slice(k + 1)) {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        const air = 0.2 * Math.min(a.height, b.height);
        if (wide > 1 && high > 1 + air) found.push(`"${one}" and "${other}" overlap`);
      }
    });
  }
  closed.forEach((it) => (it.open = false));
  return found;
}

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
const faults = [];
const all = args.flatMap(files);
for (const file of all) {
  for (const width of WIDTHS) {
    for (const scheme of SCHEMES) {
      const page = await browser.newPage();
      const fault = (what) => faults.push(`${file} at ${width} px, ${scheme}: ${what}`);
      page.on("console", (it) => it.type() === "error" && fault(`the console says ${it.text()}`));
      page.on("pageerror", (it) => fault(`a script failed: ${it.message}`));
      page.on("request", (it) => {
        if (!it.url().startsWith("file:") && !it.url().startsWith("data:")) fault(`it asks the network for ${it.url()}`);
      });
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await page.goto(pathToFileURL(path.resolve(file)).href);
      for (const it of await page.evaluate(labels)) fault(it);
      if (file.endsWith(".html")) {
        const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (over > 0) fault(`it scrolls sideways by ${over} px`);
        await page.evaluate(axe);
        const result = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
        for (const it of result.violations.filter((it) => ["serious", "critical"].includes(it.impact))) {
          fault(`${it.id}: ${it.help} (${it.nodes.length}, first ${it.nodes[0].html.slice(0, 120)})`);
        }
      }
      if (pictures) {
        const name = path.relative(process.cwd(), path.resolve(file)).replaceAll(/[^\w.-]+/g, "-").replace(/^[-.]+/, "");
        await page.screenshot({ path: path.join(pictures, `${name}-${width}-${scheme}.png`), fullPage: true });
      }
      await page.close();
    }
  }
}
await browser.close();
for (const it of faults) console.error(it);
console.log(`${all.length} files opened at ${WIDTHS.join(" and ")} px in both colour schemes: ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
