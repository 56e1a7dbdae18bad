/**
 * Refusals of a guard have ids, by which an operator accepts each once; until then, the published version of the part
 * stays.
 */
import { createHash } from "node:crypto";
import type { Tally } from "../../contract/documents/tally.ts";
import { GuardError } from "../../errors.ts";
import { partitionTitle } from "../../store/layout.ts";
import type { RunContext } from "../context.ts";
import type { PublishedPart } from "./references.ts";

/** The most texts that a message names. */
const NAMED = 6;
const ID_DIGITS = 6;

export interface Reason {
  readonly part: PublishedPart;
  /** The affected column, or another quantity: `rows`, `keys`. */
  readonly column: string;
  readonly text: string;
}

/** The id, which is the same in every run that refuses the same column of the same part. */
export const reasonId = ({ part, column }: Reason): string =>
  createHash("sha256")
    .update(`${partitionTitle(part)}\n${column}`)
    .digest("hex")
    .slice(0, ID_DIGITS);

/**
 * Notes the accepted reasons, and withholds the parts of all others.
 * @returns the message to throw or to report as damage; undefined when nothing is refused
 */
export function refusalOf(context: RunContext, reasons: readonly Reason[], tally: Tally): GuardError | undefined {
  const { accepted, config } = context;
  const isAccepted = (reason: Reason) => config.allowShrink || config.acceptedIds.has(reasonId(reason));
  for (const { part, text } of reasons.filter(isAccepted)) {
    tally.note("accepted by ALLOW_SHRINK", text);
    accepted.add(partitionTitle(part));
  }
  const refused = reasons.filter((reason) => !isAccepted(reason));
  if (refused.length === 0) return undefined;
  for (const reason of refused) withhold(context, reason);
  const texts = refused.slice(0, NAMED).map(({ text }) => text);
  const more = refused.length > NAMED ? [`and ${refused.length - NAMED} more`] : [];
  const ids = [...new Set(refused.map(reasonId))].join(",");
  return new GuardError(
    `${[...texts, ...more].join("; ")}: refused, what is published stays (ALLOW_SHRINK=${ids} accepts it)`,
  );
}

/** True when anything is refused, which is damage: the published version stays, and the run continues. */
export function isRefused(context: RunContext, reasons: readonly Reason[], tally: Tally): boolean {
  const refusal = refusalOf(context, reasons, tally);
  if (refusal) tally.damage(refusal.message);
  return refusal !== undefined;
}

/** Throws a refusal. @throws GuardError when a reason is not accepted */
export function refuse(context: RunContext, reasons: readonly Reason[], tally: Tally): void {
  const refusal = refusalOf(context, reasons, tally);
  if (refusal) throw refusal;
}

/** The served version of the part is as old as the last check that it passed. */
function withhold({ withheld }: RunContext, reason: Reason): void {
  const { part, text } = reason;
  const title = partitionTitle(part);
  const reasons = [...(withheld.get(title)?.reasons ?? []), { id: reasonId(reason), text }];
  withheld.set(title, { title, ...part, reasons });
}
