/** The first items of a list, and a button that shows the rest. */
import type { ComponentChildren } from "preact";
import { useRemembered } from "../data/remembered.ts";
import { plural } from "../format.ts";

interface ShowMoreProps<T> {
  /** Tells the lists of a view apart. */
  readonly name: string;
  readonly of: readonly T[];
  readonly limit: number;
  readonly children: (items: readonly T[]) => ComponentChildren;
}

export function ShowMore<T>({ name, of, limit, children }: ShowMoreProps<T>) {
  const [showsAll, setShowsAll] = useRemembered<boolean>(`more ${name}`, false);
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
