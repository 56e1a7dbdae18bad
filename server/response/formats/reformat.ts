/** A reply in another format: made from the same JSON, so that nothing in it differs. */
import type { Body, Endpoint, EndpointResult } from "../endpoint.ts";
import { splitChunks, isBuffered, MAX_BUFFERED_BYTES, sizeOf } from "../body-stream.ts";
import { toCsv } from "./csv.ts";
import { type Format, FORMAT_TYPES } from "./format.ts";
import { layoutOf } from "./layout.ts";
import { toNdjson } from "./ndjson.ts";
import { toParquet } from "./parquet.ts";
import type { Pieces, Row } from "./scan.ts";

/** The same reply as JSON, or as rows. @throws Problem when it is too large for the format */
export async function reformat(
  reply: EndpointResult,
  format: Format,
  { returns, path }: Pick<Endpoint, "returns" | "path">,
  values: Row,
  request: Pick<Request, "signal">,
): Promise<EndpointResult> {
  if (format === "json") return reply;
  const layout = { ...layoutOf(returns), values };
  const headers = {
    ...reply.headers,
    "Content-Type": FORMAT_TYPES[format],
    "Content-Disposition": `attachment; filename="${fileName(path)}.${format}"`,
  };
  const pieces = isBuffered(reply.body) ? splitChunks(reply.body) : reply.body;
  if (format === "parquet") return { ...reply, headers, body: await toParquet(pieces, layout, request.signal) };
  const convert = format === "csv" ? toCsv : toNdjson;
  return { ...reply, headers, body: await asSent(reply.body, (pieces) => convert(pieces, layout)) };
}

/** `/grades/raw` → `grades-raw`. */
const fileName = (path: string): string =>
  path
    .split("/")
    .filter((step) => /^\w+$/.test(step))
    .join("-");

/** Small answers are made at once, to be remembered; large ones while they are sent, and each time anew. */
async function asSent(body: Body, convert: (pieces: Pieces) => AsyncIterable<Buffer>): Promise<Body> {
  if (!isBuffered(body)) return convert(body);
  if (sizeOf(body) > MAX_BUFFERED_BYTES)
    return { [Symbol.asyncIterator]: () => convert(splitChunks(body))[Symbol.asyncIterator]() };
  const made: Buffer[] = [];
  for await (const piece of convert(body)) made.push(piece);
  return made;
}
