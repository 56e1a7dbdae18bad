/**
 * A gzip body (RFC 1952) around a payload that is compressed once and sent many times: what stands before and after it
 * differs between responses and is stored uncompressed.
 */
import { promisify } from "node:util";
import { constants, crc32, deflateRaw, type ZlibOptions } from "node:zlib";

/** A payload as deflate blocks (RFC 1951) that end at a byte, without the last block of their stream. */
export interface DeflatedPayload {
  readonly bytes: Buffer;
  /** The size in bytes of the uncompressed payload, and its CRC-32. */
  readonly size: number;
  readonly crc: number;
}

export async function deflatePayload(payload: Buffer, options: ZlibOptions): Promise<DeflatedPayload> {
  const finishFlush = constants.Z_FULL_FLUSH;
  const bytes = await promisify<Buffer, ZlibOptions, Buffer>(deflateRaw)(payload, { ...options, finishFlush });
  return { bytes, size: payload.length, crc: crc32(payload) };
}

/** Magic number, deflate, no flags, no time, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** Joins texts of less than 64 kB with a payload between them. */
export function gzipAround([prefix, suffix]: readonly [Buffer, Buffer], payload: DeflatedPayload): Buffer {
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(suffix, followedBy(crc32(prefix), payload)), 0);
  end.writeUInt32LE((prefix.length + payload.size + suffix.length) % 2 ** 32, 4);
  return Buffer.concat([HEADER, ...storedBlock(prefix, 0), payload.bytes, ...storedBlock(suffix, 1), end]);
}

/** An uncompressed deflate block; `last` is 1 for the last one of a stream. */
function storedBlock(bytes: Buffer, last: 0 | 1): readonly Buffer[] {
  const head = Buffer.from([last, 0, 0, 0, 0]);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(bytes.length ^ 0xffff, 3);
  return [head, bytes];
}

/**
 * The CRC-32 of a text and the payload after it. A CRC is the remainder of a polynomial, so that appending n bytes
 * multiplies it by x^8n.
 */
function followedBy(crc: number, { crc: added, size }: DeflatedPayload): number {
  let shifted = crc;
  let power = X_8;
  for (let bytes = size; bytes > 0; bytes = Math.floor(bytes / 2)) {
    if (bytes % 2 === 1) shifted = multiply(power, shifted);
    power = multiply(power, power);
  }
  return (shifted ^ added) >>> 0;
}

/** The polynomial of CRC-32 and x^8; the highest bit is the coefficient of x^0. */
const POLYNOMIAL = 0xedb88320;
const X_8 = 1 << 23;

/** Multiplies two polynomials modulo that of CRC-32. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= shifted;
    shifted = (shifted >>> 1) ^ (shifted & 1 ? POLYNOMIAL : 0);
  }
  return product;
}
