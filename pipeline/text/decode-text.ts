/**
 * Bytes → text, as browsers read them: labels of encodings by the WHATWG's Encoding Standard (`iso-8859-1` is windows-1252), the one that a page
 * declares by the prescan of the HTML Standard, the precedence in XML by RFC 7303. What is damaged is refused, never replaced.
 */
import { getEncoding } from "encoding-sniffer/sniffer";
import { decodeHTML } from "entities";
import { UpstreamBadResponse } from "../errors.ts";

/** A CSV file declares nothing: it is UTF-8, UTF-16 with or without a mark, or else windows-1252. */
export type TextKind = "html" | "xml" | "csv" | "json";

export interface EncodedText {
  /** Whose text it is, for errors. */
  readonly system: string;
  readonly bytes: Uint8Array;
  readonly kind: TextKind;
  /** Of the Content-Type. It goes before what the text declares; a byte order mark goes before both. */
  readonly charset?: string | undefined;
}

/** Without the byte order mark. @throws UpstreamBadResponse that says which encoding, or which character, it is about */
export function decodeText({ system, bytes, kind, charset }: EncodedText): string {
  const damaged = (what: string) => new UpstreamBadResponse(system, `the page is damaged: ${what}`);
  const label = labelOf(bytes, kind, charset);
  const text = decodeAs(bytes, label);
  if (text === undefined) throw damaged(`it is not in ${label}`);
  const character = nameOf(DAMAGE.exec(text)) ?? (kind === "json" ? undefined : damageInReferences(text));
  if (character !== undefined) throw damaged(`it has the character ${character}, as after a wrong conversion`);
  return text;
}

/** A stream of UTF-8 → its text, without the mark. @throws UpstreamBadResponse */
export async function* decodeStream(system: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const part of bytes) yield decoder.decode(part, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    throw cause instanceof TypeError ? new UpstreamBadResponse(system, "the file is not UTF-8", { cause }) : cause;
  }
}

/** NUL, the C1 control characters and the replacement character: no text has them on purpose. */
const DAMAGE = /[\0\u0080-\u009f\ufffd]/;

/** Half of a pair, as only an escape such as JSON's can have it. */
const LONE_SURROGATE = /\p{Cs}/u;

/** The first character that only a wrong conversion leaves behind, as `U+0092`; undefined in a sound text. */
export const damageIn = (text: string): string | undefined => nameOf(DAMAGE.exec(text) ?? LONE_SURROGATE.exec(text));

function nameOf(found: RegExpExecArray | null): string | undefined {
  const character = found?.[0];
  return character && `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** `&#150;` and `&#x96;`, also where the ampersand is escaped. */
const REFERENCE = /&(?:amp;)*(#(?:x[\da-f]+|\d+))/gi;

/** As damageIn, of the characters that references such as `&#0;` stand for. */
export function damageInReferences(text: string): string | undefined {
  for (const [, reference] of text.matchAll(REFERENCE)) {
    const damage = damageIn(decodeHTML(`&${reference};`));
    if (damage !== undefined) return damage;
  }
  return undefined;
}

/** A character that a reference such as XML's `&#146;` has named: browsers read these by windows-1252. */
export const asBrowsersRead = (text: string): string =>
  text.replace(/[\u0080-\u009f]/g, (character) => decodeHTML(`&#${character.charCodeAt(0)};`));

function labelOf(bytes: Uint8Array, kind: TextKind, charset: string | undefined): string {
  const marked = markOf(bytes);
  if (marked !== undefined) return marked;
  if (kind === "csv") return wideIn(bytes) ?? (isRatherUtf8(bytes) ? "utf-8" : "windows-1252");
  if (charset !== undefined) return charset.toLowerCase();
  if (kind === "json") return "utf-8";
  return (kind === "xml" ? declaredInXml(bytes) : getEncoding(bytes, { defaultEncoding: "utf-8" })).toLowerCase();
}

const isAt = (bytes: Uint8Array, ...start: number[]): boolean => start.every((byte, i) => bytes[i] === byte);

function markOf(bytes: Uint8Array): string | undefined {
  if (isAt(bytes, 0xef, 0xbb, 0xbf)) return "utf-8";
  if (isAt(bytes, 0xff, 0xfe)) return "utf-16le";
  return isAt(bytes, 0xfe, 0xff) ? "utf-16be" : undefined;
}

/** Bytes looked at for the XML declaration, and for UTF-16 without a mark. */
const HEAD_BYTES = 1024;
const DECLARATION = /^<\?xml\s[^>]*?\sencoding\s*=\s*(["'])(.*?)\1/;

function declaredInXml(bytes: Uint8Array): string {
  // XML 1.0, appendix F: `<?` in two bytes each.
  if (isAt(bytes, 0x3c, 0, 0x3f, 0)) return "utf-16le";
  if (isAt(bytes, 0, 0x3c, 0, 0x3f)) return "utf-16be";
  const label = DECLARATION.exec(Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1"))?.[2]?.trim() || "utf-8";
  // What can be read byte by byte is not in UTF-16, whatever it says.
  return /^(?:utf-16|unicode|ucs-2)/i.test(label) ? "utf-8" : label;
}

/** UTF-16 of mostly Latin letters has a NUL in every other byte. */
function wideIn(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, HEAD_BYTES);
  const zeros = [0, 0];
  head.forEach((byte, i) => byte === 0 && (zeros[i % 2] = (zeros[i % 2] ?? 0) + 1));
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) * 4 < head.length) return undefined;
  return odd > even ? "utf-16le" : "utf-16be";
}

/** Sound, or damaged: most of its letters beyond ASCII are sound UTF-8, which those of windows-1252 are only by chance. */
function isRatherUtf8(bytes: Uint8Array): boolean {
  if (decodeAs(bytes, "utf-8") !== undefined) return true;
  const beyond = new TextDecoder().decode(bytes).match(/[^\0-\u007f]/g) ?? [];
  const unsound = beyond.filter((character) => character === "\ufffd").length;
  return unsound * 2 <= beyond.length;
}

/** Undefined when the bytes are not in that encoding, and when nobody knows it. */
function decodeAs(bytes: Uint8Array, label: string): string | undefined {
  try {
    const decoder = new TextDecoder(label, { fatal: true });
    // In one call Node 20 decodes windows-1252 as if it were ISO-8859-1.
    return decoder.encoding === "utf-8"
      ? decoder.decode(bytes)
      : decoder.decode(bytes, { stream: true }) + decoder.decode();
  } catch {
    return undefined;
  }
}
