/** Colours and measures of a figure, by day and by night. All pairs are told apart by every kind of colour vision. */
export interface Look {
  text: string;
  quiet: string;
  surface: string;
  /** Of series, in order; each also has its symbol. */
  series: readonly string[];
  gain: string;
  loss: string;
  none: string;
  /** Ends and middle of a scale that goes both ways from zero: below, zero, above. */
  diverging: readonly [string, string, string];
  /** Ends of a scale of values. */
  sequential: readonly [string, string];
}

export const DAY: Look = {
  text: "#212529",
  quiet: "#495057",
  surface: "#ffffff",
  // Paul Tol's "bright", darkened where it would be faint on white.
  series: ["#3352a3", "#b35806", "#117733", "#aa3377", "#0b7a99", "#7a6a00", "#5c5c5c", "#882255"],
  gain: "#2166ac",
  loss: "#b35806",
  none: "#8a9099",
  diverging: ["#b35806", "#f5f5f5", "#2166ac"],
  sequential: ["#eef2fc", "#1e377d"],
};

export const NIGHT: Look = {
  text: "#e9ecef",
  quiet: "#b8bfc6",
  surface: "#242424",
  series: ["#8da5df", "#f5a45a", "#6fcf97", "#e08bc0", "#66ccee", "#d9c75f", "#bbbbbb", "#e58a9f"],
  gain: "#7db8f0",
  loss: "#f5a45a",
  none: "#868e96",
  diverging: ["#f5a45a", "#3a3a3a", "#7db8f0"],
  sequential: ["#2b2f3a", "#8da5df"],
};

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** A colour on the way from one to another; `at` in [0, 1]. */
export function between(first: string, second: string, at: number): string {
  const [from, to] = [channels(first), channels(second)];
  const mixed = from.map((value, place) => Math.round(value + ((to[place] ?? 0) - value) * at));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** A colour of a scale through three; `at` in [0, 1], .5 is the middle. */
export function through([low, middle, high]: Look["diverging"], at: number): string {
  return at < 0.5 ? between(low, middle, at * 2) : between(middle, high, at * 2 - 1);
}

/** Black or white, whichever is read better on a colour (WCAG's relative luminance). */
export function inkOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (luminance + 0.05) ** 2 > 1.05 * 0.05 ? "#000000" : "#ffffff";
}
