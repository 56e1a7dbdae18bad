/** Follows changes as they are published: a button, the state of the connection, notifications, and the feed. */
import { useEffect, useRef, useState } from "preact/hooks";
import { plural } from "../format.ts";
import { type Change, changesAddress, changeText, feedAddress } from "./changes.tsx";

type Connection = "off" | "connecting" | "open" | "unavailable";

const WAIT_MS = 100;

interface FollowProps {
  /** Which changes, as parameters of `/changes`. */
  readonly query: Readonly<Record<string, string>>;
  /** The name of what is followed, such as `COMPSCI 161`. */
  readonly name: string;
  /** Called with each change, and when the stream opens, so that nothing published before is missed. */
  readonly onNews: () => void;
}

export function Follow({ query, name, onNews }: FollowProps) {
  const [isOn, setIsOn] = useState(false);
  const [connection, setConnection] = useState<Connection>("off");
  const [mayNotify, setMayNotify] = useState(false);
  const [seen, setSeen] = useState(0);
  const address = changesAddress(query);
  const hear = useRef((_change?: Change) => {});
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  hear.current = (change) => {
    // The changes of a snapshot come at once.
    clearTimeout(timer.current);
    timer.current = setTimeout(onNews, WAIT_MS);
    if (!change) return;
    setSeen((count) => count + 1);
    countInTitle();
    if (mayNotify && isNotified(change)) void notify(change);
  };

  useEffect(() => {
    if (!isOn) return undefined;
    setConnection("connecting");
    setSeen(0);
    const events = new EventSource(address);
    events.addEventListener("open", () => {
      setConnection("open");
      hear.current();
    });
    events.addEventListener("message", ({ data }: MessageEvent<string>) => hear.current(JSON.parse(data) as Change));
    events.addEventListener("error", () => {
      // The browser connects again by itself, but not after an error response.
      if (events.readyState !== EventSource.CLOSED) return setConnection("connecting");
      setConnection("unavailable");
      setIsOn(false);
    });
    addEventListener("focus", clearTitle);
    return () => {
      events.close();
      removeEventListener("focus", clearTitle);
      clearTitle();
    };
  }, [isOn, address]);

  function toggle(): void {
    setConnection("off");
    setIsOn(!isOn);
    if (!isOn) void askToNotify().then(setMayNotify);
  }

  return (
    <p class="follow">
      <button type="button" class="small" aria-pressed={isOn} aria-label={`Follow ${name}`} onClick={toggle}>
        Follow
      </button>{" "}
      <a href={feedAddress(query)}>Feed</a>{" "}
      <span role="status" class="quiet">
        {wordsOf(connection, mayNotify, seen)}
      </span>
    </p>
  );
}

function wordsOf(connection: Connection, mayNotify: boolean, seen: number): string {
  if (connection === "off") return "";
  if (connection === "connecting") return "Connecting…";
  if (connection === "unavailable") return "Live updates are unavailable. Reload the page for the latest data.";
  const how = mayNotify
    ? "you will be notified when a seat opens or the section changes"
    : "notifications are off, so changes are counted in the tab title";
  return seen === 0 ? `Following: ${how}.` : `Following: ${plural(seen, "change")} since then.`;
}

/** `(2) COMPSCI 161`. */
function countInTitle(): void {
  const [, count = "0"] = /^\((\d+)\) /.exec(document.title) ?? [];
  clearTitle();
  document.title = `(${Number(count) + 1}) ${document.title}`;
}
function clearTitle(): void {
  document.title = document.title.replace(/^\(\d+\) /, "");
}

async function askToNotify(): Promise<boolean> {
  if (!("Notification" in globalThis)) return false;
  return (await Notification.requestPermission()) === "granted";
}

/** Seats are taken and left all the time: what matters is the status. */
const isNotified = ({ kind }: Change): boolean => kind !== "enrolled" && kind !== "waitlist";

async function notify(change: Change): Promise<void> {
  const { department, courseNumber, sectionCode, kind, after } = change;
  const title = `${department} ${courseNumber} (${sectionCode})`;
  const hasSeat = kind === "status" && after === "OPEN";
  const options = {
    body: hasSeat ? "A seat is open." : changeText(change),
    tag: `${sectionCode} ${kind}`,
    data: location.href,
  };
  // Browsers of phones show notifications of service workers only.
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) return worker.showNotification(title, options);
  const shown = new Notification(title, options);
  shown.addEventListener("click", () => globalThis.focus());
}
