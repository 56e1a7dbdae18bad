/** Which changes a question asks for, found the plain way, one row at a time. */
import type { Change } from "../../../pipeline/contract/rows/change.ts";
import { QUARTERS } from "../../../pipeline/contract/vocabulary.ts";

export interface ChangeQuestion {
  readonly since?: string;
  readonly until?: string;
  readonly year?: string;
  readonly quarter?: string;
  readonly department?: string;
  readonly courseNumber?: string;
  readonly sectionCodes?: string;
  readonly instructorName?: string;
  readonly kind?: string;
}

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function hasInstructor(names: readonly string[], asked: string): boolean {
  const wanted = plain(asked);
  const lastOf = (name: string) => plain(name).split(",")[0] ?? "";
  if (!wanted.includes(",")) return names.some((name) => lastOf(name).includes(wanted));
  if (wanted.trim().endsWith(",")) return names.some((name) => `${lastOf(name)},` === wanted.trim());
  return names.some((name) => plain(name).startsWith(wanted));
}

const hasCode = (code: string, asked: string): boolean =>
  asked.split(",").some((item) => {
    const [low = "", high = low] = item.split("-");
    return low <= code && code <= high;
  });

const bare = (text: string) => text.replaceAll(" ", "").toLowerCase();
const isListed = (value: string, asked: string): boolean =>
  asked.split(",").some((item) => bare(item) === bare(value) || item === "ALL");

/** `snapshots` in order of time; dates are not asked for. */
export function askPlainly(rows: readonly Change[], asked: ChangeQuestion, snapshots: readonly string[]): object[] {
  const publishedAt = (id: string) => snapshots.indexOf(id);
  const isId = (text: string) => /^[0-9a-f]{16}$/.test(text);
  const passes = (row: Change): boolean => {
    const { since, until, year, quarter, department, courseNumber, sectionCodes, instructorName, kind } = asked;
    if (since !== undefined && isId(since) && publishedAt(row.snapshot) <= publishedAt(since)) return false;
    if (since !== undefined && !isId(since) && !(Date.parse(row.at) > Date.parse(since))) return false;
    if (until !== undefined && isId(until) && publishedAt(row.snapshot) > publishedAt(until)) return false;
    if (until !== undefined && !isId(until) && Date.parse(row.at) > Date.parse(until)) return false;
    if (year !== undefined && row.year !== year) return false;
    if (quarter !== undefined && row.quarter !== quarter) return false;
    if (department !== undefined && !isListed(row.department, department)) return false;
    if (courseNumber !== undefined && !isListed(row.courseNumber, courseNumber)) return false;
    if (sectionCodes !== undefined && !hasCode(row.sectionCode, sectionCodes)) return false;
    if (instructorName !== undefined && !hasInstructor(row.instructors, instructorName)) return false;
    return kind === undefined || kind.split(",").includes(row.kind);
  };
  const keyOf = ({ at, year, quarter, sectionCode, field }: Change) =>
    [at, year, QUARTERS.indexOf(quarter), sectionCode, field].join(" ");
  return rows
    .filter(passes)
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map(({ month: _month, instructors: _instructors, ...served }) => served);
}
