/** Back leads to where one was: the place on a page that loads its content is found again as the content comes. */
const KEY = "scroll";
/** Longer, and the reader has begun to read. */
const RESTORE_MS = 5000;
/** Of the newest addresses. */
const MAX_PLACES = 50;
/** What a reader does who does not wait for it. */
const INPUTS = ["wheel", "touchstart", "keydown", "mousedown"];

/** By address; those of an earlier load of the page too. Where storage is denied, it has no others. */
function storedPlaces(): Map<string, number> {
  try {
    const places: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return new Map(Array.isArray(places) ? places : []);
  } catch {
    return new Map();
  }
}

function storePlaces(places: ReadonlyMap<string, number>): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...places].slice(-MAX_PLACES)));
  } catch {
    // Denied or full.
  }
}

export function rememberScroll(): void {
  history.scrollRestoration = "manual";
  const places = storedPlaces();
  let stop: (() => void) | undefined;

  /** Scrolls there as soon as the page is long enough, unless the reader moves first. */
  function restore(y: number): void {
    stop?.();
    const until = performance.now() + RESTORE_MS;
    stop = () => {
      stop = undefined;
      for (const name of INPUTS) removeEventListener(name, stopNow);
    };
    const stopNow = stop;
    for (const name of INPUTS) addEventListener(name, stopNow, { passive: true });
    const step = () => {
      if (stop !== stopNow) return;
      scrollTo(0, y);
      if (performance.now() < until) requestAnimationFrame(step);
      else stopNow();
    };
    requestAnimationFrame(step);
  }

  const note = () => {
    const { href } = globalThis.location;
    places.delete(href);
    places.set(href, scrollY);
  };
  // While the content comes, the page is too short for the place.
  addEventListener("scroll", () => stop ?? note(), { passive: true });
  addEventListener("pagehide", () => storePlaces(places));
  const find = () => restore(places.get(globalThis.location.href) ?? 0);
  addEventListener("popstate", find);
  // A page that was left for another site, or loaded again.
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (entry && entry.type !== "navigate") find();
}
