/** Back leads to where one was: the place on a page that loads its content is found again as the content comes. */

/** Longer, and the reader has begun to read. */
const RESTORE_MS = 5000;
/** Input of a reader who does not wait for the position to be restored. */
const INPUTS = ["wheel", "touchstart", "keydown", "mousedown"];

export function rememberScroll(): void {
  const places = new Map<string, number>();
  const { location } = globalThis;
  /** While the content comes, the page is too short for the place. */
  let until = 0;
  addEventListener("scroll", () => performance.now() < until || places.set(location.href, scrollY), { passive: true });
  for (const name of INPUTS) addEventListener(name, () => (until = 0), { passive: true });
  addEventListener("popstate", () => {
    const place = places.get(location.href) ?? 0;
    until = performance.now() + RESTORE_MS;
    const step = () => {
      if (performance.now() >= until) return;
      scrollTo(0, place);
      requestAnimationFrame(step);
    };
    step();
  });
}
