/**
 * Keys for comparing people's names, without case and diacritics (pipeline/RULES.md, People). The TypeScript and the
 * SQL version must agree.
 */
import { quoteLiteral } from "./sql-text.ts";

/** The placeholder in a section of the schedule for an instructor who is not named yet. */
export const UNNAMED = "STAFF";

/** Letters that NFD does not decompose, and variants of apostrophe and hyphen. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ς: "σ",
  "‘": "'",
  "’": "'",
  ʼ: "'",
  "‐": "-",
  "‑": "-",
  "–": "-",
};

const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "giu");

function toPlain(letter: string): string {
  const small = letter.toLowerCase();
  const plain = PLAIN[small] ?? small;
  return letter === small ? plain : plain.toUpperCase();
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/** `José Łukasz Weiß` → `Jose Lukasz Weiss`. */
export function withoutDiacritics(text: string): string {
  if (ASCII.test(text)) return text;
  return text.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC").replace(SPECIAL, toPlain);
}

/** `MÜLLER, E.` → `muller, e.` */
export const nameKey = (name: string): string =>
  // JavaScript lowercases to a final sigma, DuckDB does not.
  withoutDiacritics(name).toLowerCase().replaceAll("ς", "σ");

const SINGLE = Object.entries(PLAIN).filter(([, plain]) => plain.length === 1);

/** `nameKey` as SQL over a column or a lambda's variable, with a fast path for ASCII. */
export function nameKeySql(column: string): string {
  const stripped = `translate(lower(strip_accents(${column})), ${quoteLiteral(SINGLE.map(([letter]) => letter).join(""))}, ${quoteLiteral(SINGLE.map(([, plain]) => plain).join(""))})`;
  const expanded = Object.entries(PLAIN)
    .filter(([, plain]) => plain.length > 1)
    .reduce((text, [letter, plain]) => `replace(${text}, ${quoteLiteral(letter)}, ${quoteLiteral(plain)})`, stripped);
  return `CASE WHEN strlen(${column}) = length(${column}) THEN lower(${column}) ELSE ${expanded} END`;
}
