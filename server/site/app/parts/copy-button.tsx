/** Copies a text to the clipboard, and says so. */
import { useState } from "preact/hooks";

interface CopyButtonProps {
  readonly text: string;
  readonly name: string;
  /** The name is part of what the button shows. */
  readonly hasName?: boolean;
}

export function CopyButton({ text, name, hasName = false }: CopyButtonProps) {
  const [said, setSaid] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("Copying is blocked by the browser"),
    );
  return (
    <p>
      <button type="button" class="small" aria-label={`Copy ${name}`} onClick={copy}>
        {hasName ? `Copy ${name}` : "Copy"}
      </button>{" "}
      <span role="status" class="quiet">
        {said}
      </span>
    </p>
  );
}
