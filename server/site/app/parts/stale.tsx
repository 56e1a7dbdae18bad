/** A line above what is shown, where the university sent a newer version that was refused. */
import { useContext } from "preact/hooks";
import { SiteContext } from "../data/terms.ts";
import { termQuery } from "../data/term-names.ts";
import { Ago } from "./ago.tsx";

export interface StaleProps {
  /** The published tables that are shown. */
  readonly tables: readonly string[];
  /** Limits the notice to this term. */
  readonly term?: string | undefined;
}

/** The tables behind the sections of a term. */
export const SCHEDULE_TABLES = ["sections", "headings"] as const;

export function Stale({ tables, term }: StaleProps) {
  const { snapshot } = useContext(SiteContext);
  const asked = term === undefined ? undefined : termQuery(term);
  const since = (snapshot?.withheld ?? [])
    .filter(({ table }) => tables.includes(table))
    .filter(({ year, quarter }) => !asked || (asked.year === year && asked.quarter === quarter))
    .map((part) => part.since)
    .sort()[0];
  if (since === undefined) return null;
  return (
    <p class="notice" role="status">
      What the university sent since then could not be trusted: this is as of <Ago time={since} />.
    </p>
  );
}
