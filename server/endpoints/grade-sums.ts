/** Adds up the figures of matching grade rows, and writes the sums as JSON. */
import { GRADE_COUNTS } from "../../pipeline/contract/grade.ts";
import type { List } from "../response/endpoint.ts";
import type { GradeFigures, Membership } from "../snapshot/tables/grade-figures.ts";
import { createYielder } from "../snapshot/event-loop-yielder.ts";

/** Of one group: its counts, the sum of its averages in hundredths, and how many sections they are of. */
const FIGURES = GRADE_COUNTS.length + 2;
/** So much work is done between two looks at the clock. */
const AT_A_TIME = 1024;

/** Adds the row at `place` to the group that begins at `at`. */
function add({ counts, gpaHundredths, isAveraged }: GradeFigures, place: number, sums: Float64Array, at: number): void {
  for (let i = 0; i < counts.length; i++) (sums[at + i] as number) += (counts[i] as Int32Array)[place] as number;
  if (!isAveraged[place]) return;
  (sums[at + FIGURES - 2] as number) += gpaHundredths[place] as number;
  (sums[at + FIGURES - 1] as number) += 1;
}

/**
 * The plain mean of the sections' averages over sections with a letter grade, of those that have one; 0 when there is none. Hundredths are summed as whole numbers, so that
 * the one division is the only rounding.
 */
function toJson(sums: Float64Array, at: number): string {
  const sections = sums[at + FIGURES - 1] as number;
  const mean = sections === 0 ? 0 : (sums[at + FIGURES - 2] as number) / (100 * sections);
  const counts = GRADE_COUNTS.map((name, i) => `"${name}":${sums[at + i]}`).join(",");
  return `${counts},"averageGPA":${Number.isInteger(mean) ? mean.toFixed(1) : mean}`;
}

/** All of these rows as one. */
export function sumAll(figures: GradeFigures, places: Int32Array): string {
  const sums = new Float64Array(FIGURES);
  for (const place of places) add(figures, place, sums, 0);
  return `{${toJson(sums, 0)}}`;
}

/** One record for each group that a row belongs to, in the groups' order; `isWanted` leaves groups out. */
export async function sumByGroup(
  figures: GradeFigures,
  { starts, ids, texts }: Membership,
  places: Int32Array,
  isWanted: (id: number) => boolean = () => true,
): Promise<List> {
  const yieldToEventLoop = createYielder();
  // Which group's sums stand where; 0 = none yet.
  const slots = new Int32Array(texts.length);
  const found: number[] = [];
  let sums = new Float64Array(64 * FIGURES);
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number;
    const end = starts ? (starts[place + 1] as number) : place + 1;
    for (let at = starts ? (starts[place] as number) : place; at < end; at++) {
      const id = ids[at] as number;
      if (slots[id] === 0) {
        if (!isWanted(id)) continue;
        slots[id] = found.push(id);
        if (found.length * FIGURES > sums.length) sums = enlarged(sums);
      }
      add(figures, place, sums, ((slots[id] as number) - 1) * FIGURES);
    }
    if (i % AT_A_TIME === 0) await yieldToEventLoop();
  }
  const sorted = Int32Array.from(found).sort();
  const toRecord = (id: number) => `${texts[id]},${toJson(sums, ((slots[id] as number) - 1) * FIGURES)}}`;
  return {
    total: sorted.length,
    async part(from, to) {
      const pieces: Buffer[] = [Buffer.from("[")];
      for (let first = from; first < to; first += AT_A_TIME) {
        const records = Array.from(sorted.subarray(first, Math.min(first + AT_A_TIME, to)), toRecord);
        pieces.push(Buffer.from(`${first > from ? "," : ""}${records.join(",")}`));
        await yieldToEventLoop();
      }
      return [...pieces, Buffer.from("]")];
    },
  };
}

function enlarged(sums: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(sums.length * 2);
  larger.set(sums);
  return larger;
}

/** The JSON texts that the rows belong to, each once, in their order. */
export function listMembers({ starts, ids, texts }: Membership, places: Int32Array): string {
  const isHere = new Uint8Array(texts.length);
  for (const place of places) {
    const end = starts ? (starts[place + 1] as number) : place + 1;
    for (let at = starts ? (starts[place] as number) : place; at < end; at++) isHere[ids[at] as number] = 1;
  }
  return `[${texts.filter((_, id) => isHere[id] === 1).join(",")}]`;
}
