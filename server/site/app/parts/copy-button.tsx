/** Copies a text to the clipboard, and says so. */
import { useState } from "preact/hooks";

export function CopyButton({ text, name }: { text: string; name: string }) {
  const [said, setSaid] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("The browser does not allow copying"),
    );
  return (
    <p>
      <button type="button" class="small" aria-label={`Copy ${name}`} onClick={copy}>
        Copy
      </button>{" "}
      <span role="status" class="quiet">
        {said}
      </span>
    </p>
  );
}
