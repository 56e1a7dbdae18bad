/** Words of the schedule with their explanations. */
import type { GlossaryEntry } from "../data/glossary.ts";

export const Words = ({ entries }: { readonly entries: readonly GlossaryEntry[] }) => (
  <dl class="words">
    {entries.map(({ word, name, means }) => (
      <div>
        <dt>{word}</dt>
        <dd>
          <strong>{name}</strong>. {means}
        </dd>
      </div>
    ))}
  </dl>
);
