/** One JSON object a line; lists and objects inside a row stay what they are. */
import type { Layout } from "./layout.ts";
import { readRows } from "./rows.ts";
import { type Pieces, scanRows } from "./scan.ts";

const NEXT = Buffer.from("\n");

export async function* toNdjson(pieces: Pieces, layout: Layout): AsyncGenerator<Buffer> {
  if (!layout.toRows) {
    // A row's text is its line.
    for await (const batch of scanRows(pieces, layout.steps, false))
      yield Buffer.concat(batch.flatMap(({ text }) => [text, NEXT]));
    return;
  }
  for await (const rows of readRows(pieces, layout))
    if (rows.length > 0) yield Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}
