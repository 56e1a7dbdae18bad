/**
 * Validates a workbook in bounded memory before the spreadsheet library reads it, because the library ignores
 * checksums, trusts the archive's sizes, and allocates all cells up to the last one.
 */
import { crc32, inflateRawSync } from "node:zlib";
import { damageIn, damageInReferences } from "../../text/decode-text.ts";
import { UpstreamBadResponse } from "../../errors.ts";
import { beyondLimit, LIMITS } from "../../limits.ts";
import { namesTwice } from "./workbook-sheets.ts";

/** Signatures and lengths of the zip format (PKWARE's APPNOTE, sections 4.3.7, 4.3.12 and 4.3.16). */
const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
const END_LENGTH = 22;
const MAX_COMMENT = 0xffff;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
/** The 32-bit marker of zip64 archives, over 4 GB, which are rejected. */
const ZIP64 = 0xffffffff;

/**
 * A reference past column CZ or row 299,999, or one with an XML entity. Real sheets have about 20 columns and up to
 * 60,000 rows; within this bound the library needs a few hundred megabytes.
 */
const FAR_OFF_CELL =
  /\sr\s*=\s*["'](?:[A-Za-z]{3,}|[D-Zd-z][A-Za-z]\d|[A-Za-z]*(?:[3-9]\d{5}|\d{7,})["']|[A-Za-z\d]*&)/;

/** Small parts, such as styles, may be dense. */
const DENSE_FROM = 1024 * 1024;
const PIECE = 1024 * 1024;
const LONGEST_REFERENCE = 256;

interface Part {
  name: string;
  method: number;
  crc: number;
  packed: number;
  unpacked: number;
  at: number;
}

/**
 * Checks a workbook.
 * @param onPart receives the content of each part that is sound
 * @throws UpstreamBadResponse when the archive is damaged, encrypted, too large when unpacked, or has cells beyond any
 *   sheet's extent
 */
export function checkWorkbook(bytes: Buffer, onPart?: (name: string, content: Buffer) => void): void {
  const { bytes: mostBytes, ratio } = LIMITS.workbook;
  const parts = readDirectory(bytes).filter(({ name }) => name.endsWith(".xml") || name.endsWith(".rels"));
  const unpacked = parts.reduce((sum, part) => sum + part.unpacked, 0);
  if (unpacked > mostBytes) throw bad(`unpacks to ${unpacked} bytes, more than ${mostBytes}`);
  const dense = parts.find((part) => part.unpacked > DENSE_FROM && part.unpacked > part.packed * ratio);
  if (dense) throw bad(`is damaged in ${dense.name}: it unpacks to more than ${ratio} times its size`);
  const counts = { elements: 0, strings: 0 };
  for (const part of parts) {
    const content = unpack(bytes, part);
    checkPart(part.name, content, counts);
    if (namesTwice(part.name, content)) throw bad(`is damaged in ${part.name}: it names a part twice`);
    onPart?.(part.name, content);
  }
}

/**
 * Checks text. @throws UpstreamBadResponse for bytes that are not text, and for characters that only a wrong conversion
 * leaves behind
 */
function requireText(name: string, decoder: InstanceType<typeof TextDecoder>, bytes: Buffer, isLast: boolean): void {
  let text: string;
  try {
    text = decoder.decode(bytes, { stream: !isLast });
  } catch {
    throw bad(`is damaged in ${name}: it is not in UTF-8`);
  }
  requireCharacters(name, damageIn(text));
}

function requireCharacters(name: string, damaged: string | undefined): void {
  if (damaged !== undefined) throw bad(`is damaged in ${name}: it has the character ${damaged}`);
}

/** Counts piece by piece: the whole text would need as much memory again. */
function checkPart(name: string, content: Buffer, counts: { elements: number; strings: number }): void {
  const { elements, strings } = LIMITS.workbook;
  // The library reads only UTF-8.
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (let offset = 0; offset < content.length; offset += PIECE) {
    const piece = content.toString("latin1", offset, offset + PIECE);
    const overlapping = content.toString("latin1", Math.max(0, offset - LONGEST_REFERENCE), offset + PIECE);
    requireText(name, decoder, content.subarray(offset, offset + PIECE), offset + PIECE >= content.length);
    counts.elements += countOf(piece, "<");
    if (name === "xl/sharedStrings.xml") counts.strings += countOf(piece, "<si");
    if (counts.elements > elements) throw beyondLimit("records", "workbook", elements, "elements");
    if (counts.strings > strings) throw beyondLimit("records", "workbook", strings, "strings");
    if (FAR_OFF_CELL.test(overlapping)) throw bad(`${name} has cells far beyond a sheet's extent`);
    requireCharacters(name, damageInReferences(overlapping));
  }
}

const countOf = (text: string, part: string): number => {
  let count = 0;
  for (let index = text.indexOf(part); index >= 0; index = text.indexOf(part, index + 1)) count++;
  return count;
};

const bad = (why: string, cause?: unknown): UpstreamBadResponse =>
  new UpstreamBadResponse("records", `the workbook ${why}`, cause === undefined ? {} : { cause });

function readDirectory(bytes: Buffer): Part[] {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  let offset = bytes.readUInt32LE(end + 16);
  if (offset === ZIP64) throw bad("is too large");
  if (count > LIMITS.workbook.entries) throw beyondLimit("records", "workbook", LIMITS.workbook.entries, "entries");
  const parts: Part[] = [];
  for (let i = 0; i < count; i++) {
    if (offset + 46 > bytes.length || bytes.readUInt32LE(offset) !== CENTRAL_HEADER)
      throw bad("has a damaged directory");
    if (bytes.readUInt16LE(offset + 8) & ENCRYPTED) throw bad("is encrypted");
    const nameLength = bytes.readUInt16LE(offset + 28);
    parts.push({
      name: bytes.toString("utf8", offset + 46, offset + 46 + nameLength),
      method: bytes.readUInt16LE(offset + 10),
      crc: bytes.readUInt32LE(offset + 16),
      packed: bytes.readUInt32LE(offset + 20),
      unpacked: bytes.readUInt32LE(offset + 24),
      at: bytes.readUInt32LE(offset + 42),
    });
    offset += 46 + nameLength + bytes.readUInt16LE(offset + 30) + bytes.readUInt16LE(offset + 32);
  }
  return parts;
}

/** The end of the central directory, followed by at most a comment. */
function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - END_LENGTH - MAX_COMMENT);
  for (let offset = bytes.length - END_LENGTH; offset >= first; offset--) {
    if (bytes.readUInt32LE(offset) === END_OF_DIRECTORY) return offset;
  }
  throw bad("is cut off: its directory is missing");
}

function unpack(bytes: Buffer, { name, method, crc, packed, unpacked, at }: Part): Buffer {
  if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== LOCAL_HEADER) throw bad(`is damaged in ${name}`);
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  const content = bytes.subarray(start, start + packed);
  if (method !== STORED && method !== DEFLATED) throw bad(`packs ${name} by an unknown method`);
  let whole: Buffer;
  try {
    whole =
      method === STORED
        ? content
        : inflateRawSync(content, { maxOutputLength: Math.max(1, unpacked), chunkSize: Math.max(64, unpacked) });
  } catch (cause) {
    throw bad(`is damaged in ${name}, or holds more than it declares`, cause);
  }
  if (whole.length !== unpacked || crc32(whole) !== crc) throw bad(`is damaged in ${name}`);
  return whole;
}
