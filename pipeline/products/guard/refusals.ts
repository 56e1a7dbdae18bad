/** What a guard refuses has an id, by which an operator accepts it once; what is published of the part stays until then. */
import { createHash } from "node:crypto";
import type { Tally } from "../../contract/documents/tally.ts";
import { GuardError } from "../../errors.ts";
import { partitionTitle } from "../../store/layout.ts";
import type { RunContext } from "../context.ts";
import type { PublishedPart } from "./references.ts";

/** Texts named in one message. */
const NAMED = 6;
const ID_DIGITS = 6;

export interface Reason {
  readonly part: PublishedPart;
  /** The column that is concerned, or what else is counted: `rows`, `keys`. */
  readonly column: string;
  readonly text: string;
}

/** The same in every run that refuses the same column of the same part. */
export const reasonId = ({ part, column }: Reason): string =>
  createHash("sha256")
    .update(`${partitionTitle(part)}\n${column}`)
    .digest("hex")
    .slice(0, ID_DIGITS);

/**
 * Notes the accepted reasons. The parts of the others are withheld.
 * @returns what is to be thrown or reported as damage; undefined when nothing is refused
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
  for (const { part } of refused) withhold(context, part, refused);
  const texts = refused.slice(0, NAMED).map(({ text }) => text);
  const more = refused.length > NAMED ? [`and ${refused.length - NAMED} more`] : [];
  const ids = [...new Set(refused.map(reasonId))].join(",");
  return new GuardError(
    `${[...texts, ...more].join("; ")}: refused, what is published stays (ALLOW_SHRINK=${ids} accepts it)`,
  );
}

/** Whether anything is refused, which is damage: what is published of it stays, and the rest goes on. */
export function isRefused(context: RunContext, reasons: readonly Reason[], tally: Tally): boolean {
  const refusal = refusalOf(context, reasons, tally);
  if (refusal) tally.damage(refusal.message);
  return refusal !== undefined;
}

/** @throws GuardError when a reason is not accepted */
export function refuse(context: RunContext, reasons: readonly Reason[], tally: Tally): void {
  const refusal = refusalOf(context, reasons, tally);
  if (refusal) throw refusal;
}

/** What is served of the part is as old as the last check that it passed. */
function withhold(context: RunContext, part: PublishedPart, refused: readonly Reason[]): void {
  const title = partitionTitle(part);
  const reasons = refused
    .filter((reason) => partitionTitle(reason.part) === title)
    .map((reason) => ({ id: reasonId(reason), text: reason.text }));
  const known = context.withheld.get(title);
  context.withheld.set(title, { title, ...part, reasons: [...(known?.reasons ?? []), ...reasons] });
}
