/** Follows changes as they are published: a button, and the state of the connection. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Change } from "./changes.tsx";

type Connection = "off" | "connecting" | "open" | "unavailable";

const WORDS: Readonly<Record<Connection, string>> = {
  off: "",
  connecting: "Connecting…",
  open: "Following: changes appear here as soon as they are published.",
  unavailable: "Live updates are not available at the moment. Reload the page for the latest.",
};

interface FollowProps {
  /** A list of changes that is also an event stream. */
  readonly address: string;
  readonly onChange: (change: Change) => void;
}

export function Follow({ address, onChange }: FollowProps) {
  const [isOn, setIsOn] = useState(false);
  const [connection, setConnection] = useState<Connection>("off");
  const report = useRef(onChange);
  report.current = onChange;
  useEffect(() => {
    if (!isOn) return undefined;
    setConnection("connecting");
    const events = new EventSource(address);
    const hear = ({ data }: MessageEvent<string>) => report.current(JSON.parse(data) as Change);
    events.addEventListener("open", () => setConnection("open"));
    events.addEventListener("message", hear);
    events.addEventListener("error", () => {
      // The browser connects again by itself, but not after an error response.
      if (events.readyState !== EventSource.CLOSED) return setConnection("connecting");
      setConnection("unavailable");
      setIsOn(false);
    });
    return () => events.close();
  }, [isOn, address]);
  const toggle = () => {
    setConnection("off");
    setIsOn(!isOn);
  };
  return (
    <p class="follow">
      <button type="button" class="small" aria-pressed={isOn} onClick={toggle}>
        Follow
      </button>{" "}
      <span role="status" class="quiet">
        {WORDS[connection]}
      </span>
    </p>
  );
}
