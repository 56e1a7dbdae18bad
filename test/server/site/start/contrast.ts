/** How well the texts of a page can be read, by the rules of WCAG. */

/** Of a CSS colour: 0 is black, 1 is white. */
export function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}

/** Visible texts whose colour is less than 4.5 : 1 from what is behind them (WCAG 1.4.3). */
export const POOR_CONTRAST = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => {
    const [r, g, b] = channels(color).slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = getComputedStyle(one).backgroundColor;
      if ((channels(color)[3] ?? 1) > 0) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const poor = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
    if (!own || !element.checkVisibility() || element.closest(".hidden, .skip, title, desc, noscript, script")) continue;
    const style = getComputedStyle(element);
    const [a, b] = [light(element instanceof SVGElement ? style.fill : style.color), light(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) poor.push([element.textContent.trim().slice(0, 40), contrast.toFixed(2)]);
  }
  return poor;
})()`;
