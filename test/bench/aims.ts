/** What was aimed at, what came out. An aim that is missed stays here, with what stands in its way. */
import { readFile } from "node:fs/promises";
import { tableText } from "./rows.ts";

export interface Aim {
  readonly aim: string;
  readonly figure: string;
  /** The figure of the run before. */
  readonly previous?: string | undefined;
  /** undefined: this run did not measure it. */
  readonly met: boolean | undefined;
  readonly reason: string;
}

export interface Judged {
  readonly aim: string;
  readonly value: number | undefined;
  readonly limit: number;
  readonly unit: string;
  /** The value must be at least the limit; else at most. */
  readonly least?: boolean;
  readonly reason?: string;
}

export function judge({ aim, value, limit, unit, least = false, reason = "" }: Judged): Aim {
  if (value === undefined)
    return { aim, figure: "not measured", met: undefined, reason: "the data was given, or too small" };
  const met = least ? value >= limit : value <= limit;
  const figure = `${value >= 100 ? value.toFixed(0) : value.toFixed(2)} ${unit}`.trim();
  return { aim, figure, met, reason: met ? "" : reason };
}

/** The aims of the run that wrote this file; none where there was none, or one over other data. */
export async function readPrevious(path: string, data: string): Promise<readonly Aim[]> {
  try {
    const before = JSON.parse(await readFile(path, "utf8")) as { aims?: Aim[]; data?: string };
    return before.data === data ? (before.aims ?? []) : [];
  } catch {
    return [];
  }
}

export const withPrevious = (aims: readonly Aim[], before: readonly Aim[]): readonly Aim[] =>
  aims.map((aim) => ({ ...aim, previous: before.find((one) => one.aim === aim.aim)?.figure }));

export const aimsText = (aims: readonly Aim[]): string =>
  tableText(
    ["aim", "figure", "before", "met", "what stands in the way"],
    aims.map(({ aim, figure, previous = "", met, reason }) => [
      aim,
      figure,
      previous,
      met === undefined ? "?" : met ? "yes" : "NO",
      reason,
    ]),
    5,
  );
