/** Finds the names of people in texts of any kind: comments, JSON, sheets. */
import { UNNAMED } from "../contract/name-key.ts";
import type { Forgotten } from "./tombstones.ts";

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.@_-]*/gu;
/** The full stop of a sentence; that of an initial belongs to it. */
const STOP = /(?<=[^.]{3})\.+$/;
/** Between two words of one name. */
const GAP = /^(?:,[ \u00a0]{0,2}|[ \u00a0]{1,2})$/;
/** Words of one name. */
const MAX_WORDS = 6;

/**
 * The text with `STAFF` in the place of each name that was taken down, without their addresses, the netids in those of their pages (`~jdoe`), and the
 * names of withdrawn exports.
 * @param isSheet every name in it is a person's: other notations of a name count as well
 */
export function withoutNames(text: string, forgotten: Forgotten, { isSheet = false } = {}): string {
  const words = [...text.matchAll(WORD)].map((found) => ({
    from: found.index,
    to: found.index + found[0].replace(STOP, "").length,
  }));
  const isHere = (from: number, to: number): boolean => {
    const part = text.slice(from, to);
    return isSheet ? forgotten.isName(part) : forgotten.isSpelling(part);
  };
  let [done, made] = [0, ""];
  const replace = (from: number, to: number, by: string) => {
    made += text.slice(done, from) + by;
    done = to;
  };
  for (let at = 0; at < words.length; at++) {
    const { from, to } = words[at] as (typeof words)[number];
    const word = text.slice(from, to);
    const isPage = text[from - 1] === "~" && forgotten.isNetid(word);
    const isAddress = word.includes("@") && forgotten.isEmail(word);
    if (isPage || isAddress || (word.includes(".") && forgotten.isFile(word))) {
      replace(from, to, "");
      continue;
    }
    let last = at;
    while (last + 1 < words.length && last + 1 < at + MAX_WORDS) {
      const [end, next] = [words[last]?.to ?? 0, words[last + 1]?.from ?? 0];
      if (!GAP.test(text.slice(end, next))) break;
      last++;
    }
    for (; last > at; last--) {
      const end = words[last]?.to ?? 0;
      if (!isHere(from, end)) continue;
      replace(from, end, UNNAMED);
      at = last;
      break;
    }
  }
  return made + text.slice(done);
}

/** A JSON value with `withoutNames` of every text in it. */
export const valueWithoutNames = <T>(value: T, forgotten: Forgotten): T =>
  JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === "string" ? withoutNames(part, forgotten, { isSheet: true }) : part,
  ) as T;
