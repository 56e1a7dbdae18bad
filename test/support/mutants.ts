/**
 * Mutants of outside input, by its structure: parts left out, doubled, exchanged, nested, with values at limits; cut,
 * in another encoding, with bytes flipped. The n-th mutant of a seed is always the same: `FUZZ_SEED=7 FUZZ_MUTANT=123`
 * replays one.
 */
import { createStream, hashText, mix } from "../../pipeline/campus/random.ts";

export type Structure = "markup" | "json" | "rows" | "head" | "query" | "bytes";

export interface Mutant {
  /** The name that replays it, part of every message about it. */
  readonly name: string;
  readonly bytes: Buffer;
}

export interface Mutants {
  readonly seed: number;
  readonly count: number;
}

type Part = readonly [start: number, end: number];
type Random = () => number;

/** The caller's seed without `FUZZ_SEED`: CI has the same mutants each time, a long run others every time. */
export const fuzzSeed = (usual: number): number => Number(process.env["FUZZ_SEED"] ?? usual);

/** Any number of mutants of one fixture; with `FUZZ_MUTANT` only that one. */
export function* mutantsOf(
  fixture: { readonly name: string; readonly bytes: Buffer; readonly structure: Structure },
  { seed, count }: Mutants,
): Generator<Mutant> {
  const text = fixture.bytes.toString("latin1");
  const parts = partsOf(text, fixture.structure);
  const own = mix(seed, hashText(fixture.name));
  const only = process.env["FUZZ_MUTANT"];
  for (let n = only === undefined ? 0 : Number(only); n < (only === undefined ? count : Number(only) + 1); n++) {
    const random = createStream(mix(own, n));
    const bytes = mutate(text, parts, fixture.structure, random);
    yield { name: `${fixture.name}: FUZZ_SEED=${seed} FUZZ_MUTANT=${n}`, bytes };
  }
}

/** All cuts of a text, or that many at even distances. */
export function* cutsOf(bytes: Buffer, most = 400): Generator<Buffer> {
  const step = Math.max(1, Math.ceil(bytes.length / most));
  for (let end = 0; end < bytes.length; end += step) yield bytes.subarray(0, end);
}

function mutate(text: string, parts: readonly Part[], structure: Structure, random: Random): Buffer {
  const changes = 1 + below(3, random);
  let changed = text;
  let mutated = parts;
  for (let i = 0; i < changes; i++) {
    if (i > 0) mutated = partsOf(changed, structure);
    if (structure === "bytes" || mutated.length === 0 || random() < 0.1) changed = flipped(changed, random);
    else changed = pick(CHANGES, random)(changed, mutated, random);
  }
  return random() < 0.06 ? pick(ENCODINGS, random)(changed) : Buffer.from(changed, "latin1");
}

const below = (most: number, random: Random): number => Math.floor(random() * most);
const pick = <T>(list: readonly T[], random: Random): T => list[below(list.length, random)] as T;
const without = (text: string, [start, end]: Part, instead = ""): string =>
  text.slice(0, start) + instead + text.slice(end);
const inside = (text: string, [start, end]: Part): string => text.slice(start, end);

/** Replacements for values: numbers at limits, other notations, references, marks, names that every object has. */
const VALUES = [
  ..."|0|-1|1.5|.5|00000|99999|100000|2147483648|9007199254740993|1e999|NaN|0x1F|٣|１２|null|true|[]|{}|__proto__|constructor".split(
    "|",
  ),
  ...[
    "TBA",
    "25:61",
    "12:00-12:00a",
    "2024-02-30",
    "Feb 29",
    "Dec 31 – Jan 2",
    "1,024",
    "MATH 2A (same as",
    "*** CANCELLED ***",
  ],
  ...[
    "&#0;",
    "&#x110000;",
    "&#146;",
    "&amp;amp;lt;",
    "&nbsp;",
    "&lol;",
    "&",
    "<",
    ">",
    "<![CDATA[",
    "]]>",
    "<!--",
    "<?x",
    "<!DOCTYPE a [<!ENTITY b 'c'>]>",
  ],
  ...[
    "\\ud800",
    "\\u0000",
    '\\"',
    '"',
    "'",
    "\0",
    "\t",
    "\r",
    "\n",
    "\r\n",
    "\x0b",
    ",",
    ";",
    "%",
    "%00",
    "%ff",
    "+",
    "..",
    "/",
    "//",
  ],
  ...["\ufeff", "\u202e", "é", "\u2028", "😀", "ßİ"].map((letters) => Buffer.from(letters).toString("latin1")),
];

const CHANGES: readonly ((text: string, parts: readonly Part[], random: Random) => string)[] = [
  // Left out.
  (text, parts, random) => without(text, pick(parts, random)),
  // Doubled, or many times.
  (text, parts, random) => {
    const part = pick(parts, random);
    const times = random() < 0.9 ? 2 : Math.min(600, Math.ceil(20_000 / (1 + part[1] - part[0])));
    return without(text, part, inside(text, part).repeat(times));
  },
  // Two exchanged.
  (text, parts, random) => {
    const [first, second] = [pick(parts, random), pick(parts, random)].toSorted((a, b) => a[0] - b[0]) as [Part, Part];
    if (first[1] > second[0]) return without(text, first, inside(text, second));
    const between = text.slice(first[1], second[0]);
    return text.slice(0, first[0]) + inside(text, second) + between + inside(text, first) + text.slice(second[1]);
  },
  // Nest one part in another.
  (text, parts, random) => {
    const [start, end] = pick(parts, random);
    const at = start + below(1 + end - start, random);
    return without(text, [at, at], inside(text, pick(parts, random)));
  },
  // Values.
  (text, parts, random) => without(text, pick(parts, random), pick(VALUES, random)),
  (text, parts, random) => without(text, pick(parts, random), pick(VALUES, random)),
  (text, parts, random) => {
    const [start] = pick(parts, random);
    return without(text, [start, start], pick(VALUES, random).repeat(random() < 0.95 ? 1 : 1 + below(600, random)));
  },
  // Upper and lower case, blanks.
  (text, parts, random) => {
    const part = pick(parts, random);
    const changed = [inside(text, part).toUpperCase(), inside(text, part).toLowerCase(), ` ${inside(text, part)} `];
    return without(text, part, pick(changed, random));
  },
  // Cut at a boundary, at the end or at the beginning.
  (text, parts, random) => text.slice(0, pick(pick(parts, random), random)),
  (text, parts, random) => text.slice(pick(pick(parts, random), random)),
];

/** Bits flipped, bytes left out or put in. */
function flipped(text: string, random: Random): string {
  const bytes = Buffer.from(text, "latin1");
  if (bytes.length === 0) return String.fromCharCode(below(256, random));
  const at = below(bytes.length, random);
  if (random() < 0.3) return without(text, [at, Math.min(bytes.length, at + 1 + below(8, random))]);
  if (random() < 0.3) return without(text, [at, at], String.fromCharCode(below(256, random)));
  for (let left = 1 + below(3, random); left > 0; left--) {
    const flip = below(bytes.length, random);
    bytes[flip] = (bytes[flip] ?? 0) ^ (1 << below(8, random));
  }
  return bytes.toString("latin1");
}

const asText = (text: string): string => Buffer.from(text, "latin1").toString();
const ENCODINGS: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(`\ufeff${asText(text)}`),
  (text) => Buffer.from(asText(text), "utf16le"),
  (text) => Buffer.from(`\ufeff${asText(text)}`, "utf16le"),
  (text) => Buffer.from(`\ufeff${asText(text)}`, "utf16le").swap16(),
  (text) => Buffer.from(asText(text), "latin1"),
  (text) => Buffer.from(text),
];

const matches = (text: string, form: RegExp): Part[] =>
  Array.from(text.matchAll(form), (match): Part => [match.index, match.index + match[0].length]);

/** The parts that a text of that structure consists of, inner ones too. */
function partsOf(text: string, structure: Structure): Part[] {
  switch (structure) {
    case "bytes":
      return [];
    case "rows":
      return [
        ...matches(text, /[^\r\n]+[\r\n]*/g),
        ...matches(text, /"(?:[^"]|"")*"|[^,;\t\r\n]+/g),
        ...matches(text, /[,;\t]/g),
      ];
    case "query":
      return matches(text, /[^&?]*=[^&]*&?|[^&=?/,]+|[/,?&=]/g);
    case "head":
      return [...matches(text, /[^\r\n]*\r\n/g), ...matches(text, /[^\s:,;=]+|[:,;=]|\r\n|[ \t]+/g)];
    case "json":
      return [...nested(matches(text, TOKENS), text, opensJson), ...matches(text, MEMBERS)];
    case "markup":
      return [...nested(matches(text, TAGS), text, opensMarkup), ...matches(text, ATTRIBUTES), ...matches(text, TEXTS)];
  }
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[-+.\w]+|[{}[\],:]/g;
const MEMBERS = /"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[-+.\w]+)/g;
const TAGS = /<!--.*?-->|<!\[CDATA\[.*?\]\]>|<[^>]*>|[^<]+/gs;
const ATTRIBUTES = /\s[\w:-]+="[^"<>]*"|(?<==")[^"<>]*(?=")/g;
const TEXTS = /&#?\w+;|(?<=[>\s,(])[^\s<>,()&]+(?=[<\s,)])/g;

/** The tags that a token opens or closes, if any. */
type Opens = (token: string) => readonly ["open" | "close", name: string] | undefined;
const opensJson: Opens = (token) =>
  /^[[{]$/.test(token) ? ["open", ""] : /^[\]}]$/.test(token) ? ["close", ""] : undefined;
const opensMarkup: Opens = (token) => {
  const [, slash, name = "", ownEnd] = /^<(\/?)([a-z]\w*)[^>]*?(\/?)>$/i.exec(token) ?? [];
  return name === "" || ownEnd === "/" ? undefined : [slash === "/" ? "close" : "open", name.toLowerCase()];
};

/** Each token, and each stretch from an opening token to its closing token. */
function nested(tokens: readonly Part[], text: string, opens: Opens): Part[] {
  const parts: Part[] = [...tokens];
  const open: { name: string; start: number }[] = [];
  for (const [start, end] of tokens) {
    const [kind, name] = opens(text.slice(start, end)) ?? [];
    if (kind === "open") open.push({ name: name ?? "", start });
    if (kind !== "close") continue;
    const at = open.findLastIndex((token) => token.name === name);
    if (at >= 0) parts.push([open[at]?.start ?? 0, end]);
    if (at >= 0) open.length = at;
  }
  return parts;
}
