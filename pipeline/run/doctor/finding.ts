/** The findings of `make doctor`, a line each. */

export interface Finding {
  readonly level: "ok" | "note" | "FAULT";
  readonly what: string;
  readonly remedy?: string;
}

export type Findings = AsyncIterable<Finding>;

export const ok = (what: string): Finding => ({ level: "ok", what });
export const note = (what: string, remedy?: string): Finding => toFinding("note", what, remedy);
export const fault = (what: string, remedy: string): Finding => toFinding("FAULT", what, remedy);

const toFinding = (level: Finding["level"], what: string, remedy?: string): Finding =>
  remedy === undefined ? { level, what } : { level, what, remedy };

/** `FAULT  port 3000: another program listens there. Stop it, or set PORT` */
export function lineOf({ level, what, remedy }: Finding): string {
  const text =
    remedy === undefined
      ? what
      : `${what}${what.endsWith("?") ? "" : "."} ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}`;
  return `${level.padEnd(5)}  ${text.replaceAll(/\s+/g, " ")}`;
}
