// throwaway: node shoot.tmp.mjs NAME PATH [full]
import { chromium } from "@playwright/test";
const base = process.env.BASE ?? "http://127.0.0.1:8765";
const b = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const jobs = process.argv.slice(2).map((a) => a.split("="));
for (const [name, path] of jobs) {
  for (const [tag, w, scheme] of [["wide-light", 1360, "light"], ["wide-dark", 1360, "dark"], ["narrow-light", 360, "light"]]) {
    const c = await b.newContext({ viewport: { width: w, height: 900 }, colorScheme: scheme });
    const p = await c.newPage();
    p.on("pageerror", (e) => console.log(name, tag, "ERR", e.message));
    p.on("console", (m) => m.type() === "error" && console.log(name, tag, m.text()));
    await p.goto(base + path); await p.waitForTimeout(1500);
    await p.screenshot({ path: `/tmp/fe/${name}-${tag}.png`, fullPage: true });
    await c.close();
  }
}
await b.close();
