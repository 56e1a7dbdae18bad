/** A word of the schedule with its explanation: a button that opens a sentence, by mouse, touch and keyboard. */
import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { explain } from "../data/glossary.ts";

const WIDTH = 320;
/** About as high as an explanation gets. */
const HEIGHT = 120;
const MARGIN = 8;

interface ExplainedProps {
  /** As the schedule writes it, such as `NewOnly` or `Restriction A`. */
  readonly word: string;
  /** The shown text; by default the word. */
  readonly children?: ComponentChildren;
}

/** A word that is not in the glossary is shown without a button. */
export function Explained({ word, children = word }: ExplainedProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [place, setPlace] = useState<{ left: string; top: string } | { left: string; bottom: string }>();
  const entry = explain(word);
  if (!entry) return <>{children}</>;
  // Below the word, or above it at the end of the window, and inside a narrow one.
  const open = () => {
    const { left = 0, top = 0, bottom = 0 } = button.current?.getBoundingClientRect() ?? {};
    const rightmost = innerWidth - Math.min(WIDTH, innerWidth - 2 * MARGIN) - MARGIN;
    const across = `${Math.max(MARGIN, Math.min(left, rightmost))}px`;
    const isLow = bottom + HEIGHT > innerHeight && top > HEIGHT;
    setPlace(isLow ? { left: across, bottom: `${innerHeight - top + 4}px` } : { left: across, top: `${bottom + 4}px` });
  };
  return (
    <>
      <button ref={button} type="button" class="explained" popovertarget={id}>
        {children}
      </button>
      <span
        id={id}
        popover="auto"
        class="explanation"
        role="note"
        style={place ?? {}}
        onBeforeToggle={({ newState }) => (newState === "open" ? open() : setPlace(undefined))}
      >
        {/* Otherwise a table of many sections would hold the sentence many times. */}
        {place && (
          <>
            <strong>{`${entry.word}: ${entry.name}.`}</strong> {entry.means}
          </>
        )}
      </span>
    </>
  );
}
