/** An answer's JSON → its rows, batch by batch. */
import type { Layout } from "./layout.ts";
import { type Pieces, type Row, scanRows } from "./scan.ts";

export async function* readRows(
  pieces: Pieces,
  { steps, toRows, values = {} }: Layout,
): AsyncGenerator<readonly Row[]> {
  // Only where rows are made of more than themselves somebody looks at what is above them.
  for await (const batch of scanRows(pieces, steps, toRows !== undefined)) {
    yield batch.flatMap(({ text, above }) => {
      const own = JSON.parse(text.toString()) as Row;
      return toRows ? toRows(own, above, values) : [own];
    });
  }
}
