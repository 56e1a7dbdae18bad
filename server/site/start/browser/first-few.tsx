/** The first of many, and a button that shows the rest. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { plural } from "./words.ts";

interface FirstFewProps<T> {
  readonly of: readonly T[];
  readonly most: number;
  readonly children: (items: readonly T[]) => ComponentChildren;
}

export function FirstFew<T>({ of, most, children }: FirstFewProps<T>) {
  const [showsAll, setShowsAll] = useState(false);
  if (showsAll || of.length <= most) return <>{children(of)}</>;
  return (
    <>
      {children(of.slice(0, most))}
      <button type="button" class="small" onClick={() => setShowsAll(true)}>
        Show {plural(of.length - most, "more", "more")}
      </button>
    </>
  );
}
