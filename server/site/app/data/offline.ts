/** True while the page shows responses that the browser has cached, and since when they are. */
import { useEffect, useState } from "preact/hooks";

const CHANGED = "cached-responses";
/** The time of the oldest cached response that the page shows, ISO 8601. */
let shownSince: string | undefined;

/** The service worker marks responses that it has from its cache. */
export function noteResponse(headers: Headers): void {
  const isCached = headers.has("x-from-cache");
  const time = isCached ? new Date(headers.get("date") ?? Date.now()).toISOString() : undefined;
  const next = time !== undefined && shownSince !== undefined && shownSince < time ? shownSince : time;
  if (next === shownSince) return;
  shownSince = next;
  dispatchEvent(new Event(CHANGED));
}

export function useShownSince(): string | undefined {
  const [time, setTime] = useState(shownSince);
  useEffect(() => {
    const update = () => setTime(shownSince);
    update();
    addEventListener(CHANGED, update);
    return () => removeEventListener(CHANGED, update);
  }, []);
  return time;
}
