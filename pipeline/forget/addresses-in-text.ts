/** Finds the addresses of people who were taken down, and the names of withdrawn files, in a decoded text. */
import { isWholeName } from "./person-name.ts";
import type { ReadText, Replaced } from "./reader-text.ts";
import type { Forgotten } from "./tombstones.ts";

const AT = String.raw`(?:@|[[({<] {0,2}(?:at|@) {0,2}[\])}>])`;
const DOT = String.raw`(?:\.|[[({<] {0,2}(?:dot|\.) {0,2}[\])}>])`;
const LABEL = String.raw`[\p{L}\p{N}-]+`;
/** `jdoe@example.edu`, `jdoe [at] example.edu`, `jdoe @ example.edu` */
const EMAIL = new RegExp(
  String.raw`([\p{L}\p{N}_][\p{L}\p{N}._'+-]{0,63}) {0,3}${AT} {0,3}${LABEL}(?: {0,2}${DOT} {0,2}${LABEL})*`,
  "giu",
);
const [NO_LETTER, SCHEME] = [String.raw`(?<![\p{L}\p{N}])`, String.raw`[a-z][a-z0-9+.-]{0,15}:\/\/`];
/** An address extends from its scheme, host, path or `~` to the next blank or bracket. */
const ADDRESS = new RegExp(
  String.raw`${NO_LETTER}(?:${SCHEME}|www\.|\/|~|@|(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24}\/)[^\s"'<>()[\]{}|]*`,
  "giu",
);
/** Inside a tag the whole attribute value is an address. */
const LINK = /(?<=\b(?:href|src|action|cite)\s{0,3}=\s{0,3}["']{0,2})[^\s"'<>]+/giu;
const SEGMENT = /[\p{L}\p{N}][\p{L}\p{N}._-]*/gu;
/** The first name of a host with three or more, behind its scheme. */
const HOST = /^[a-z][a-z0-9+.-]*:\/\/([\p{L}\p{N}-]+)(?:\.[\p{L}\p{N}-]+){2,}/iu;
/** A word of a file's name, and how many it may have. */
const FILE_WORD = /[^\s"'<>|;,:()[\]{}/\\=]+/gu;
const MAX_FILE_WORDS = 8;

export function addressesIn(read: ReadText, forgotten: Forgotten): Replaced[] {
  const parts = [...emailsIn(read.text, forgotten), ...pagesIn(read, forgotten), ...filesIn(read.text, forgotten)];
  return parts.map(({ from, length }) => ({ from, to: from + length, by: "" }));
}

interface Part {
  readonly from: number;
  readonly length: number;
}

function emailsIn(text: string, forgotten: Forgotten): Part[] {
  if (!/@|\bat\b/i.test(text)) return [];
  return [...text.matchAll(EMAIL)]
    .filter(([address, local = ""]) => {
      const written = address
        .replace(/ *[[({<] *(?:at|@) *[\])}>] */i, "@")
        .replace(/ *[[({<] *(?:dot|\.) *[\])}>] */gi, ".")
        .replaceAll(" ", "");
      return forgotten.isEmail(written) || forgotten.isNetid(netidOf(local)) || isNameAs(local, forgotten);
    })
    .map(({ 0: { length }, index: from }) => ({ from, length }));
}

function pagesIn({ isTag, text }: ReadText, forgotten: Forgotten): Part[] {
  if (!isTag && !/[/~@]|www\./.test(text)) return [];
  const parts: Part[] = [];
  for (const { 0: address, index } of (isTag ? [LINK, ADDRESS] : [ADDRESS]).flatMap((pattern) => [
    ...text.matchAll(pattern),
  ])) {
    const [, host] = HOST.exec(address) ?? [];
    if (host !== undefined && forgotten.isNetid(host))
      parts.push({ from: index + address.indexOf(host), length: host.length });
    for (const { 0: segment, index: offset } of address.matchAll(SEGMENT)) {
      const name = segment.replace(/[.-]+$/, "");
      const [stem = ""] = name.split(".");
      const isTaken = (part: string) => forgotten.isNetid(part) || isNameAs(part, forgotten);
      const taken = [name, stem].find(isTaken);
      if (taken !== undefined) parts.push({ from: index + offset, length: taken.length });
    }
  }
  return parts;
}

function filesIn(text: string, forgotten: Forgotten): Part[] {
  if (!text.includes(".")) return [];
  const parts: Part[] = [];
  const words = [...text.matchAll(FILE_WORD)].map(({ 0: word, index }) => ({
    from: index,
    to: index + word.replace(/\.+$/, "").length,
  }));
  for (const [i, { to }] of words.entries())
    for (let n = i; n >= 0 && n > i - MAX_FILE_WORDS; n--) {
      const { from } = words[n] as (typeof words)[number];
      const name = text.slice(from, to);
      if (!name.includes(".") || (n < i && text.slice(words[n]?.to, words[n + 1]?.from) !== " ")) break;
      if (forgotten.isFile(name)) parts.push({ from, length: name.length });
    }
  return parts;
}

/** `jdoe+grades` → `jdoe` */
const netidOf = (local: string): string => local.split("+")[0] ?? "";

/** `aurelio.vane`, `vane_a`: the whole of it is a name. */
function isNameAs(text: string, forgotten: Forgotten): boolean {
  const words = text.split(/[._+-]+/);
  if (words.length < 2 || words.length > 4) return false;
  return isWholeName(words, forgotten);
}
