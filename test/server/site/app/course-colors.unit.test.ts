/** The colours of a plan's courses can be told apart, in both themes and without red, green or blue; buttons and bars weigh the same in both. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { COLORS, colorsOf } from "../../../../server/site/app/plan/course-colors.ts";

const STYLES = readFileSync(new URL("../../../../server/site/app/styles/colors.css", import.meta.url), "utf8");
const [, light = "", dark = ""] = STYLES.split(/:root \{/);
const read = (theme: string, name: string): Rgb => {
  const hex = new RegExp(`${name}: #(\\w{6});`).exec(theme)?.[1] ?? "";
  return [0, 2, 4].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as unknown as Rgb;
};

/** Linear light, 0 to 1. */
type Rgb = readonly [number, number, number];
const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** Rows of matrices for linear light (Viénot 1999 for red and green, Brettel-like for blue). */
const SIGHTS: Readonly<Record<string, readonly Rgb[]>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  "without red": [
    [0.11238, 0.88762, 0],
    [0.11238, 0.88762, 0],
    [0.00401, -0.00401, 1],
  ],
  "without green": [
    [0.29275, 0.70725, 0],
    [0.29275, 0.70725, 0],
    [-0.02234, 0.02234, 1],
  ],
  "without blue": [
    [1, 0.1446, -0.1446],
    [0, 0.8594, 0.1406],
    [0, 0.8594, 0.1406],
  ],
};
const seen = (color: Rgb, sight: readonly Rgb[]): Rgb =>
  sight.map((row) => Math.max(0, row[0] * color[0] + row[1] * color[1] + row[2] * color[2])) as unknown as Rgb;

/** Oklab: equal distances look equally far apart. */
function lab([r, g, b]: Rgb): Rgb {
  const [l, m, s] = [
    Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b),
    Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b),
    Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b),
  ];
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
const distance = (a: Rgb, b: Rgb) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const contrast = (a: Rgb, b: Rgb) => {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

it.each([
  ["light", light],
  ["dark", dark],
])("%s: apart for every sight, and seen on the ground", (_name, theme) => {
  const colors = Array.from({ length: COLORS }, (_, i) => read(theme, `--course-${i + 1}`));
  const near = Object.entries(SIGHTS).flatMap(([sight, matrix]) => {
    const labs = colors.map((color) => lab(seen(color, matrix)));
    return labs.flatMap((a, i) =>
      labs.slice(i + 1).flatMap((b, j) => {
        const apart = distance(a, b);
        return apart < 0.1 ? [`${sight}: ${i + 1} and ${i + j + 2}: ${apart.toFixed(3)}`] : [];
      }),
    );
  });
  expect(near).toEqual([]);
  const low = colors.flatMap((color, i) => (contrast(color, read(theme, "--card")) < 2 ? [i + 1] : []));
  expect(low).toEqual([]);
});

it("each course has its own, which it keeps when one is added; a ninth begins again", () => {
  const eight = ["A 1", "B 1", "C 1", "D 1", "E 1", "F 1", "G 1", "H 1"];
  expect([...colorsOf(eight).values()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(colorsOf([...eight, "I 1", "A 1"]).get("I 1")).toBe(1);
});

/** The contrast of a colour to the card that it stands on (WCAG). */
function contrastToCard(theme: string, name: string): number {
  const luminanceOf = ([red, green, blue]: Rgb) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const [darker = 0, lighter = 0] = [name, "--card"]
    .map((each) => luminanceOf(read(theme, each)))
    .toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

it.each(["--strong", "--bar-a", "--bar-b", "--bar-f"])("%s weighs the same in both themes", (name) => {
  expect(Math.abs(contrastToCard(dark, name) / contrastToCard(light, name) - 1)).toBeLessThan(0.1);
});
