/** Publishes in a process of its own, as a refresh does. */
import type { Term } from "../../pipeline/contract/vocabulary.ts";
import { publishChangedTerm, publishThinned } from "./thinned-data.ts";
import { answerMessages } from "./answer-messages.ts";
import { readWords } from "./words.ts";

export type PublishAsked =
  | { readonly thinned: number; readonly from: string; readonly artifacts: string }
  | { readonly changed: Term; readonly mark: string; readonly artifacts: string };

/** Of a changed term: the new snapshot's id, and when `current` pointed to it (milliseconds of the day's clock). */
answerMessages<PublishAsked>(async (asked) => {
  if ("thinned" in asked) return publishThinned(await readWords(asked.from), asked.artifacts, asked.thinned);
  const { id } = await publishChangedTerm(await readWords(asked.artifacts), asked.artifacts, asked.changed, asked.mark);
  return { id, flippedAt: Date.now() };
});
