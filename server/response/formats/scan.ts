/**
 * Finds the rows in a JSON text that is still being made: the objects of a list, or of lists inside lists. No more than one row and what stands above it
 * is held, however long the text is. The text is our own: without blanks between its parts.
 */
/** A JSON text in pieces. */
export type Pieces = AsyncIterable<Buffer> | Iterable<Buffer>;

export type Row = Readonly<Record<string, unknown>>;

export interface Scanned {
  /** The row's own JSON; valid until the next batch is asked for. */
  readonly text: Buffer;
  /** What stands before the next step's list in each object above the row, outermost first. */
  readonly above: readonly Row[];
}

const code = (character: string): number => character.charCodeAt(0);
const [QUOTE, BACKSLASH] = [code('"'), code("\\")];
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [code("["), code("]"), code("{"), code("}")];

/** An object above the rows that is open now, or a row. */
interface Level {
  start: number;
  readonly depth: number;
  head: Row | undefined;
}

/**
 * Walks from the outermost object, or the objects of the outermost list, through the fields that `steps` names (each an object or a list of objects)
 * to the rows, which come in batches. `above` is read only where `keepAbove` says so.
 */
export async function* scanRows(
  pieces: Pieces,
  steps: readonly string[],
  keepAbove: boolean,
): AsyncGenerator<readonly Scanned[]> {
  const names = steps.map((step) => Buffer.from(`"${step}":`));
  const longestName = Math.max(0, ...names.map(({ length }) => length));
  const open: Level[] = [];
  let buffer: Buffer = Buffer.alloc(0);
  let depth = 0;
  /** At which depth the next object would be one of ours. */
  let awaited = 0;
  let inText = false;
  let found: Scanned[] = [];

  /** True where the field of the next step begins; then everything before it is the head of the object above. */
  function isNextStep(at: number): boolean {
    const top = open.at(-1);
    const name = names[open.length - 1];
    if (!top || !name || depth !== top.depth || at < name.length) return false;
    if (!buffer.subarray(at - name.length, at).equals(name)) return false;
    if (keepAbove) {
      const head = buffer.toString("utf8", top.start, at - name.length).replace(/,$/, "");
      top.head = JSON.parse(`${head}}`) as Row;
    }
    return true;
  }

  function beginObject(at: number): void {
    const isOurs = depth === awaited || isNextStep(at);
    depth++;
    if (!isOurs) return;
    open.push({ start: at, depth, head: undefined });
    awaited = -1;
  }

  function endObject(at: number): void {
    const top = open.at(-1);
    if (top?.depth === depth) {
      if (open.length > steps.length)
        found.push({
          text: buffer.subarray(top.start, at + 1),
          above: keepAbove ? open.slice(0, -1).map(({ head }) => head ?? {}) : [],
        });
      open.pop();
      // Its brothers, where it is one of a list.
      awaited = depth - 1 === (open.at(-1)?.depth ?? 0) ? -1 : depth - 1;
    }
    depth--;
  }

  /** Returns where to go on: one further where a backslash is the last that there is. */
  function scan(from: number): number {
    let at = from;
    for (; at < buffer.length; at++) {
      const byte = buffer[at];
      if (inText) {
        if (byte === BACKSLASH) at++;
        else if (byte === QUOTE) inText = false;
      } else if (byte === QUOTE) inText = true;
      else if (byte === OPEN) beginObject(at);
      else if (byte === CLOSE) endObject(at);
      else if (byte === OPEN_LIST) {
        if (depth === 0 || isNextStep(at)) awaited = depth + 1;
        depth++;
      } else if (byte === CLOSE_LIST) {
        if (depth === awaited) awaited = -1;
        depth--;
      }
    }
    return at;
  }

  /** Lets go of what has been looked at, but for what is open still. */
  function dropSeen(): number {
    const top = open.at(-1);
    const isNeeded = top && (open.length > steps.length || (keepAbove && !top.head));
    const from = isNeeded ? top.start : Math.max(0, buffer.length - longestName);
    buffer = buffer.subarray(from);
    if (top) top.start -= from;
    return from;
  }

  let at = 0;
  for await (const piece of pieces) {
    buffer = buffer.length === 0 ? piece : Buffer.concat([buffer, piece]);
    at = scan(at);
    if (found.length > 0) {
      yield found;
      found = [];
    }
    at -= dropSeen();
  }
}
