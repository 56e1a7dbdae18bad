/** How well the texts of a page can be read, by the rules of WCAG. */

/** Of a CSS colour: 0 is black, 1 is white. */
export function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}

/** Visible texts whose colour is less than 4.5 : 1 from what is behind them (WCAG 1.4.3). */
export const POOR_CONTRAST = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  // A colour that can be seen through lies on what is behind it.
  const onto = ([r, g, b, a = 1], below) => [r, g, b].map((c, i) => a * c + (1 - a) * below[i]);
  const behind = (element) => {
    if (!element) return [255, 255, 255];
    const color = channels(getComputedStyle(element).backgroundColor);
    return color[3] === undefined ? color : onto(color, behind(element.parentElement));
  };
  const poor = [];
  for (const element of document.querySelectorAll("body *")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== "");
    if (!hasText || !element.checkVisibility() || element.closest(".hidden, .skip, title, desc, noscript, script")) continue;
    const style = getComputedStyle(element);
    const below = behind(element);
    const own = onto(channels(element instanceof SVGElement ? style.fill : style.color), below);
    const [a, b] = [light(own), light(below)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) poor.push([element.textContent.trim().slice(0, 40), contrast.toFixed(2)]);
  }
  return poor;
})()`;
