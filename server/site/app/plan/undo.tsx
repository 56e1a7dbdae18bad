/** Brings back what was removed last: a button, and Ctrl+Z while nothing is typed. */
import { useLayoutEffect } from "preact/hooks";
import { undoRemoval, usePlans } from "./stored-plan.ts";

export function Undo({ term }: { term: string }) {
  const { removed } = usePlans(term);
  useLayoutEffect(() => {
    if (removed === undefined) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || isTyping) return;
      event.preventDefault();
      undoRemoval(term);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [removed, term]);
  return (
    <p class="undo" role="status">
      {removed !== undefined && (
        <>
          Removed {removed}.{" "}
          <button type="button" class="small" onClick={() => undoRemoval(term)}>
            Undo
          </button>
        </>
      )}
    </p>
  );
}
