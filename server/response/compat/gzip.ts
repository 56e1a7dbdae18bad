/**
 * Assembles a gzip body around a middle that was compressed earlier: stored blocks before and after it (RFC 1951 §3.2.4), and the checksum of the whole
 * from the checksums of its parts.
 */
import { promisify } from "node:util";
import { constants, crc32, deflateRaw, type InputType, type ZlibOptions } from "node:zlib";

/** Ends at a byte boundary without a final block. */
const OPEN_END: ZlibOptions = { level: 5, finishFlush: constants.Z_SYNC_FLUSH };
/** No name, no time, no flags (RFC 1952 §2.3). */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const TRAILER_BYTES = 8;

/** CRC-32 and length (RFC 1952 §2.3.1). */
function toTrailer(checksum: number, length: number): Buffer {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(checksum);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  return trailer;
}

/** An uncompressed block of at most 65,535 bytes. */
function toStoredBlock(text: Buffer, isLast: boolean): Buffer {
  const head = Buffer.from([isLast ? 1 : 0, 0, 0, 0, 0]);
  head.writeUInt16LE(text.length, 1);
  head.writeUInt16LE(~text.length & 0xffff, 3);
  return Buffer.concat([head, text]);
}

/** Compressed blocks, followed by the trailer of their text. */
export async function toMiddle(text: Buffer): Promise<Buffer> {
  const blocks = await promisify<InputType, ZlibOptions, Buffer>(deflateRaw)(text, OPEN_END);
  return Buffer.concat([blocks, toTrailer(crc32(text), text.length)]);
}

/** The complete gzip body around a middle, in chunks. */
export function gzipAround(before: Buffer, middle: Buffer, after: Buffer): Buffer[] {
  const blocks = middle.subarray(0, -TRAILER_BYTES);
  const checksum = middle.readUInt32LE(blocks.length);
  const length = middle.readUInt32LE(blocks.length + 4);
  const whole = crc32(after, joinChecksums(crc32(before), checksum, length));
  const trailer = toTrailer(whole, before.length + length + after.length);
  return [
    Buffer.concat([HEADER, toStoredBlock(before, false)]),
    blocks,
    Buffer.concat([toStoredBlock(after, true), trailer]),
  ];
}

/** The CRC-32 polynomial, bit-reversed. */
const POLYNOMIAL = 0xedb88320;

/** The product of two polynomials modulo POLYNOMIAL. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= b;
    b = b & 1 ? (b >>> 1) ^ POLYNOMIAL : b >>> 1;
  }
  return product >>> 0;
}

const POWERS = [2 ** 30];
for (let i = 1; i < 32; i++) POWERS.push(multiply(POWERS[i - 1] as number, POWERS[i - 1] as number));

/** The CRC-32 of a concatenation whose second part has `length` bytes (zlib's crc32_combine). */
function joinChecksums(first: number, second: number, length: number): number {
  let shift = 2 ** 31;
  for (let i = 3, left = length; left > 0; i++, left >>>= 1)
    if (left & 1) shift = multiply(POWERS[i % 32] as number, shift);
  return (multiply(shift, first) ^ second) >>> 0;
}
