/** Responses of the staff directory: JSON with HTML entities in the values and e-mail addresses in base64. */
import { decodeHTML } from "entities";
import { z } from "zod";
import { damageIn } from "../text/decode-text.ts";
import type { KnownField, UnknownFields } from "../contract/source-fields.ts";
import { UpstreamBadResponse } from "../errors.ts";
import { parseBoundedJson } from "./bounded-json.ts";

export interface DirectoryEntry {
  /** The directory's score. */
  score: number;
  name: string;
  nickname: string;
  netid: string;
  title: string;
  department: string;
  email: string;
  /** True when the entry has a student's level. */
  isStudent: boolean;
}

/** The fields of an entry, and the columns that they fill. */
export const DIRECTORY_FIELDS: readonly KnownField[] = (
  [
    ["Name", ["name"]],
    ["UCInetID", ["netid"]],
    ["Title", ["title"]],
    ["Department", ["department"]],
    ["Email", ["email"]],
    ["Nickname", []],
    ["Student's Level", []],
  ] as const
).map(([name, fills]) => ({ kind: "field", place: "entry", name, fills }));

const text = z.string().nullish().catch(undefined);
const response = z.array(
  z.tuple([
    z.coerce.number().catch(0),
    z.looseObject({
      Name: text,
      UCInetID: text,
      Title: text,
      Department: text,
      Email: text,
      Nickname: text,
      "Student's Level": text,
    }),
  ]),
);

/**
 * Parses `[[score, {Name, UCInetID, …}], …]`; skips entries without a name or a network id, and counts unknown fields.
 * @throws UpstreamBadResponse when it is not such a list, or beyond a limit
 */
export function parseDirectoryAnswer(json: string, unknown?: UnknownFields): DirectoryEntry[] {
  let value: unknown;
  try {
    value = parseBoundedJson("directory", json);
  } catch (error) {
    if (error instanceof UpstreamBadResponse) throw error;
    throw new UpstreamBadResponse("directory", "the response is not JSON", { cause: error });
  }
  const result = response.safeParse(value);
  if (!result.success) throw new UpstreamBadResponse("directory", "the response is not a list of people");
  for (const [, entry] of result.data)
    for (const name of Object.keys(entry))
      if (!DIRECTORY_FIELDS.some((field) => field.name === name)) unknown?.add({ kind: "field", place: "entry", name });
  return result.data
    .map(([score, entry]) => ({
      score,
      name: toName(decode(entry.Name)),
      nickname: decode(entry.Nickname),
      netid: toNetid(decode(entry.UCInetID)),
      title: decode(entry.Title),
      department: decode(entry.Department),
      email: toEmail(entry.Email),
      isStudent: (entry["Student's Level"] ?? "") !== "",
    }))
    .filter(({ name, netid }) => name !== "" && netid !== "");
}

/** Decodes entities. @throws UpstreamBadResponse when the text is damaged */
function decode(value: string | null | undefined): string {
  const text = decodeHTML(value ?? "");
  const damage = damageIn(text);
  if (damage !== undefined)
    throw new UpstreamBadResponse("directory", `an entry has the character ${damage}, as after a wrong conversion`);
  return text.replace(/\s+/g, " ").trim();
}

/** `Vane, Mira` → `Mira Vane`; `Mira Vane, Ph.D.` stays. */
function toName(text: string): string {
  const [, last, givenNames] = /^([^,]+), ?([^,]+)$/.exec(text) ?? [];
  return last === undefined || givenNames === undefined || DEGREE.test(givenNames) ? text : `${givenNames} ${last}`;
}

const DEGREE = /^(?:[js]r|i{2,3}|iv|(?:ph|ed|m|j)\.? ?d|m\.?f?\.?a)\.?$/i;

/** Accepts an address too: `JLee@example.edu` → `jlee`. */
function toNetid(text: string): string {
  const [, local] = /^(?:mailto:)?([^\s@]+)@[^\s@]+$/i.exec(text) ?? [];
  return local?.toLowerCase() ?? text;
}

/** Returns "" when the value neither is an address nor decodes to one. */
function toEmail(value: string | null | undefined): string {
  const text = (value ?? "").trim();
  const readings = [text, Buffer.from(text, "base64").toString("utf8").trim()];
  return readings.find((reading) => /^[^\s@]+@[^\s@]+$/.test(reading) && damageIn(reading) === undefined) ?? "";
}
