import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
/** Follows changes as they are published: a button, and the state of the connection. */
import { useEffect, useRef, useState } from "preact/hooks";
const WORDS = {
  off: "",
  connecting: "Connecting…",
  open: "Following: changes appear here as soon as they are published.",
  unavailable: "Live updates are not available at the moment. Reload the page for the latest.",
};
export function Follow({ address, onChange }) {
  const [isOn, setIsOn] = useState(false);
  const [connection, setConnection] = useState("off");
  const report = useRef(onChange);
  report.current = onChange;
  useEffect(() => {
    if (!isOn) return undefined;
    setConnection("connecting");
    const events = new EventSource(address);
    const hear = ({ data }) => report.current(JSON.parse(data));
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
  return _jsxs("p", {
    class: "follow",
    children: [
      _jsx("button", { type: "button", class: "small", "aria-pressed": isOn, onClick: toggle, children: "Follow" }),
      " ",
      _jsx("span", { role: "status", class: "quiet", children: WORDS[connection] }),
    ],
  });
}
