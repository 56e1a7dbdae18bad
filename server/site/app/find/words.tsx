/** Words of the schedule with their explanations. */
import type { GlossaryEntry } from "../data/glossary.ts";
import { capitalized } from "./sentence.ts";

export const Words = ({ entries }: { readonly entries: readonly GlossaryEntry[] }) => (
  <dl class="words">
    {entries.map(({ word, name, means }) => (
      <div>
        <dt>{word}</dt>
        <dd>
          <strong>{capitalized(name)}</strong>. {means}
        </dd>
      </div>
    ))}
  </dl>
);
