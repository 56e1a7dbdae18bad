/** A JSON array out of batches of elements. */
import type { Body } from "./endpoint.ts";

const OPEN = Buffer.from("[");
const COMMA = Buffer.from(",");
const CLOSE = Buffer.from("]");

/** More elements are streamed: few are buffered, so that the response can be cached. */
const MAX_BUFFERED = 2000;

/** `batches` are `total` elements as JSON, with commas between those of a batch. */
export async function jsonArray(total: number, batches: AsyncIterable<string>): Promise<Body> {
  const chunks = toChunks(batches);
  if (total > MAX_BUFFERED) return chunks;
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

async function* toChunks(batches: AsyncIterable<string>): AsyncGenerator<Buffer> {
  yield OPEN;
  let isFirst = true;
  for await (const batch of batches) {
    if (!isFirst) yield COMMA;
    isFirst = false;
    yield Buffer.from(batch);
  }
  yield CLOSE;
}
