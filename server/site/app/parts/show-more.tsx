/** The first items of a list, and a button that shows the rest. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { plural } from "../format.ts";

interface ShowMoreProps<T> {
  readonly of: readonly T[];
  readonly limit: number;
  readonly children: (items: readonly T[]) => ComponentChildren;
}

export function ShowMore<T>({ of, limit, children }: ShowMoreProps<T>) {
  const [showsAll, setShowsAll] = useState(false);
  if (showsAll || of.length <= limit) return <>{children(of)}</>;
  return (
    <>
      {children(of.slice(0, limit))}
      <button type="button" class="small" onClick={() => setShowsAll(true)}>
        Show {plural(of.length - limit, "more", "more")}
      </button>
    </>
  );
}
