import { expect, type Page } from "@playwright/test";
import core, { type RunOptions } from "axe-core";

/** In the page, once it is brought there. */
declare const axe: typeof core;

const SCHEMES = ["light", "dark"] as const;
type Scheme = (typeof SCHEMES)[number];

/** Night changes colours and nothing else. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Hidden from those who do not see it; its description and its table are looked at. */
const DRAWING = "[data-drawing]";

/** On texts that look as no text did before in this worker. */
const UNSEEN = "data-unseen-look";

/**
 * How the texts looked that were measured by day and by night. Two thirds of axe's time go into contrast, which follows
 * from a text's colour, size and weight and from what lies behind it: each such look is measured once.
 */
const measured: Record<Scheme, Set<string>> = { light: new Set(), dark: new Set() };

/** The page as it is now has nothing that axe objects to, by day and by night. */
export async function expectAccessible(page: Page): Promise<void> {
  // Until its code is here a page has no heading.
  await expect(page.locator("h1").first()).toBeAttached();
  await bringAxe(page);
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", scheme);
    await settle(page);
    const looks = await markUnseen(page, [...measured[scheme]]);
    if (scheme === "light") await expectNothing(page, scheme, {});
    else if (looks.length > 0)
      await expectNothing(page, scheme, { runOnly: { type: "rule", values: COLOUR_RULES } });
    for (const look of looks) measured[scheme].add(look);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** Another state of a page that a call of `expectAccessible` looks at: by `make soak`, which runs all tests. */
export async function expectStillAccessible(page: Page): Promise<void> {
  if (process.env.PASSER_SOAK !== undefined) await expectAccessible(page);
}

/**
 * Once for each document: it is half a megabyte, and what was compiled of it when it runs again is fast. Its rules on
 * colours look at the texts that are marked, all others at the whole page.
 */
async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => "axe" in window)) return;
  await page.evaluate(core.source);
  await page.evaluate(
    (unseen) =>
      axe.configure({
        rules: [
          { id: "color-contrast", selector: `[${unseen}]` },
          { id: "link-in-text-block", selector: `a[href][${unseen}]` },
        ],
      }),
    UNSEEN,
  );
}

async function expectNothing(page: Page, scheme: Scheme, options: RunOptions): Promise<void> {
  const found = await page.evaluate(
    async ([drawing, asked]) => {
      const { violations } = await axe.run({ exclude: [drawing] }, { ...asked, resultTypes: ["violations"] });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => ({ id, target, failureSummary })),
      );
    },
    [DRAWING, options] as const,
  );
  expect(found, `${page.url()} in ${scheme}`).toEqual([]);
}

/**
 * Half way between two colours nothing can be read; what is on its way is waited for. What never ends, such as a
 * spinner, is looked at as it is.
 */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    const settled = Promise.allSettled(ending.map(({ finished }) => finished));
    // One whose element has left the page may never finish.
    return Promise.race([settled, new Promise((resolve) => setTimeout(resolve, 5000))]);
  });
}

/** Mark one text of each look that is not known, and give these looks. */
function markUnseen(page: Page, known: readonly string[]): Promise<string[]> {
  return page.evaluate(
    ([attribute, seen, drawing]) => {
      function isText(element: Element): boolean {
        const holdsText = [...element.childNodes].some(
          ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim(),
        );
        if (!(holdsText || element.matches("input, textarea")) || element.closest(drawing)) return false;
        return element.checkVisibility({ visibilityProperty: true });
      }
      /** What lies behind it, to the first colour that covers the rest, and what fades it. */
      function* behind(element: Element): Generator<string> {
        let isCovered = false;
        for (let at: Element | null = element; at; at = at.parentElement) {
          const { backgroundColor, backgroundImage, opacity } = getComputedStyle(at);
          if (opacity !== "1") yield `opacity ${opacity}`;
          if (isCovered) continue;
          yield `${backgroundColor} ${backgroundImage}`;
          isCovered = backgroundColor.startsWith("rgb(");
        }
      }
      function lookOf(element: Element): string {
        const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(element);
        const beside = element.matches("a") && element.parentElement;
        return [
          beside ? `link in ${getComputedStyle(beside).color}` : "",
          element.matches(":disabled, [aria-disabled=true]") ? "disabled" : "",
          `${color} ${fontSize} ${fontWeight} ${textDecorationLine}`,
          ...new Set(behind(element)),
        ].join("; ");
      }
      const looks = new Set(seen);
      for (const element of document.querySelectorAll("body *")) {
        element.removeAttribute(attribute);
        if (!isText(element) || looks.has(lookOf(element))) continue;
        looks.add(lookOf(element));
        element.setAttribute(attribute, "");
      }
      return [...looks].slice(seen.length);
    },
    [UNSEEN, known, DRAWING] as const,
  );
}
