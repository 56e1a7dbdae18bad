/**
 * Decodes bytes to text, as browsers do: labels of encodings by the WHATWG's Encoding Standard (`iso-8859-1` is
 * windows-1252), the encoding that a page declares by the prescan of the HTML Standard, the precedence in XML by RFC
 * 7303. Damaged text is refused, never replaced.
 */
import { getEncoding } from "encoding-sniffer/sniffer";
import { decodeHTML } from "entities";
import { UpstreamBadResponse } from "../errors.ts";

/** A CSV file declares no encoding: it is UTF-8, UTF-16 with or without a mark, or else windows-1252. */
export type TextKind = "html" | "xml" | "csv" | "json";

export interface EncodedText {
  /** The system that sent the text, for errors. */
  readonly system: string;
  readonly bytes: Uint8Array;
  readonly kind: TextKind;
  /** The charset of the Content-Type. It overrides the text's declaration; a byte order mark overrides both. */
  readonly charset?: string | undefined;
}

/**
 * Decodes the text, without its byte order mark. @throws UpstreamBadResponse that names the encoding or the character
 */
export function decodeText({ system, bytes, kind, charset }: EncodedText): string {
  const damaged = (what: string) => new UpstreamBadResponse(system, `the page is damaged: ${what}`);
  const label = labelOf(bytes, kind, charset);
  const text = decodeAs(bytes, label);
  if (text === undefined) throw damaged(`it is not in ${label}`);
  const character = nameOf(DAMAGE.exec(text)) ?? (kind === "json" ? undefined : damageInReferences(text));
  if (character !== undefined) throw damaged(`it has the character ${character}, as after a wrong conversion`);
  return text;
}

/** Decodes a stream of UTF-8, without its byte order mark. @throws UpstreamBadResponse */
export async function* decodeStream(system: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const part of bytes) yield decoder.decode(part, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    throw cause instanceof TypeError ? new UpstreamBadResponse(system, "the file is not UTF-8", { cause }) : cause;
  }
}

/** NUL, the C1 control characters and the replacement character, which no text contains on purpose. */
const DAMAGE = /[\0\u0080-\u009f\ufffd]/;

/** Text without any damage, as most of it is. */
const PRINTABLE_ASCII = /^[ -~]*$/;

/** Half of a surrogate pair, which only an escape such as JSON's can produce. */
const LONE_SURROGATE = /\p{Cs}/u;

/** The first character that only a wrong conversion leaves behind, as `U+0092`; undefined in a sound text. */
export const damageIn = (text: string): string | undefined =>
  PRINTABLE_ASCII.test(text) ? undefined : nameOf(DAMAGE.exec(text) ?? LONE_SURROGATE.exec(text));

function nameOf(match: RegExpExecArray | null): string | undefined {
  const character = match?.[0];
  return character && `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** `&#150;` and `&#x96;`, also if the ampersand is escaped. */
const REFERENCE = /&(?:amp;)*(#(?:x[\da-f]+|\d+))/gi;

/** As damageIn, for the characters that references such as `&#0;` stand for. */
export function damageInReferences(text: string): string | undefined {
  for (const [, reference] of text.matchAll(REFERENCE)) {
    const damage = damageIn(decodeHTML(`&${reference};`));
    if (damage !== undefined) return damage;
  }
  return undefined;
}

/** Converts the character of a reference such as XML's `&#146;`: browsers read these by windows-1252. */
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

/** The number of bytes that are searched for the XML declaration, and for UTF-16 without a mark. */
const HEAD_BYTES = 1024;
const DECLARATION = /^<\?xml\s[^>]*?\sencoding\s*=\s*(["'])(.*?)\1/;

function declaredInXml(bytes: Uint8Array): string {
  // XML 1.0, appendix F: `<?` in two bytes each.
  if (isAt(bytes, 0x3c, 0, 0x3f, 0)) return "utf-16le";
  if (isAt(bytes, 0, 0x3c, 0, 0x3f)) return "utf-16be";
  const label = DECLARATION.exec(Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1"))?.[2]?.trim() || "utf-8";
  // Text that can be read byte by byte is not in UTF-16, whatever it declares.
  return /^(?:utf-16|unicode|ucs-2)/i.test(label) ? "utf-8" : label;
}

/** Detects UTF-16 by its zero bytes: mostly Latin letters have a NUL in every other byte. */
function wideIn(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, HEAD_BYTES);
  const zeros = [0, 0];
  head.forEach((byte, i) => byte === 0 && (zeros[i % 2] = (zeros[i % 2] ?? 0) + 1));
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) * 4 < head.length) return undefined;
  return odd > even ? "utf-16le" : "utf-16be";
}

/**
 * True for UTF-8, sound or damaged: most of its letters beyond ASCII are valid UTF-8, which letters of windows-1252 are
 * only by chance.
 */
function isRatherUtf8(bytes: Uint8Array): boolean {
  if (decodeAs(bytes, "utf-8") !== undefined) return true;
  const beyond = new TextDecoder().decode(bytes).match(/[^\0-\u007f]/g) ?? [];
  const unsound = beyond.filter((character) => character === "\ufffd").length;
  return unsound * 2 <= beyond.length;
}

/** Returns undefined when the bytes are not in that encoding, or the encoding is unknown. */
function decodeAs(bytes: Uint8Array, label: string): string | undefined {
  try {
    const decoder = new TextDecoder(label, { fatal: true });
    // Node 20 decodes windows-1252 in a single call as if it were ISO-8859-1.
    return decoder.encoding === "utf-8"
      ? decoder.decode(bytes)
      : decoder.decode(bytes, { stream: true }) + decoder.decode();
  } catch {
    return undefined;
  }
}
