/**
 * Selects fields of a JSON body. Its bytes are copied or skipped: numbers keep their spelling, and no value is parsed.
 */
import { createYielder } from "../../snapshot/event-loop-yielder.ts";
import { isBuffered } from "../encoding.ts";
import type { Body } from "../endpoint.ts";

/** The selected fields of an object; `null` selects a field as a whole. */
type Selection = ReadonlyMap<string, Selection | null>;

/** The bytes processed before other requests get a turn. */
const PIECE_BYTES = 64 * 1024;
/** An upper bound of a field name, which may be written in a later piece than it was read. */
const LONGEST_NAME = 1024;

/** Selects fields. @param names dotted, none inside another */
export async function selectFields(body: Body, names: readonly string[]): Promise<Body> {
  const pieces = selected(body, toSelection(names));
  if (!isBuffered(body)) return pieces;
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

function toSelection(names: readonly string[]): Selection {
  const inside = new Map<string, string[]>();
  for (const name of names) {
    const [first = "", rest] = name.split(/\.(.*)/);
    inside.set(first, [...(inside.get(first) ?? []), ...(rest === undefined ? [] : [rest])]);
  }
  return new Map([...inside].map(([name, rest]) => [name, rest.length === 0 ? null : toSelection(rest)]));
}

async function* selected(body: Body, selection: Selection): AsyncGenerator<Buffer> {
  const select = createSelector(selection);
  const yieldToEventLoop = createYielder();
  for await (const chunk of body) {
    for (let offset = 0; offset < chunk.length; offset += PIECE_BYTES) {
      const piece = select(chunk.subarray(offset, offset + PIECE_BYTES));
      if (piece.length > 0) yield piece;
      await yieldToEventLoop();
    }
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANK = 0x20;

/** The parser state. `within` is inside of a value that is copied or skipped as a whole. */
type State = "value" | "within" | "after" | "name" | "inName" | "colon";

/** An object with selected fields, or a list of such objects. */
interface Frame {
  readonly selection: Selection;
  readonly isList: boolean;
  isEmpty: boolean;
}

/** Returns a function that filters each piece of a JSON text; pieces may end anywhere. */
function createSelector(root: Selection): (piece: Buffer) => Buffer {
  const out = Buffer.allocUnsafeSlow(PIECE_BYTES + LONGEST_NAME);
  const frames: Frame[] = [];
  let state: State = "value";
  /** The selection for the next value; undefined skips it. */
  let wanted: Selection | null | undefined = root;
  let name = "";
  // These three track the position within a value that is copied or skipped as a whole.
  let depth = 0;
  let isText = false;
  let isEscaped = false;

  /** Returns the index after the value, or the end of the piece. */
  function endOfValue(piece: Buffer, from: number): number {
    for (let i = from; i < piece.length; i++) {
      const byte = piece[i] as number;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) {
          isText = false;
          if (depth === 0) return finish(i + 1);
        }
      } else if (byte === QUOTE) isText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        // A number ends where its enclosing object or list ends.
        if (depth === 0) return finish(i);
        depth--;
        if (depth === 0) return finish(i + 1);
      } else if (byte === COMMA && depth === 0) return finish(i);
    }
    return piece.length;
  }

  function finish(end: number): number {
    state = "after";
    return end;
  }

  return (piece) => {
    let size = 0;
    const put = (byte: number) => {
      out[size++] = byte;
    };
    for (let i = 0; i < piece.length;) {
      if (state === "within") {
        const end = endOfValue(piece, i);
        if (wanted !== undefined) size += piece.copy(out, size, i, end);
        i = end;
        continue;
      }
      const byte = piece[i] as number;
      const frame = frames.at(-1);
      if (state === "inName") {
        // Selected names contain no escapes.
        let end = i;
        while (end < piece.length && (isEscaped || piece[end] !== QUOTE)) {
          isEscaped = !isEscaped && piece[end] === BACKSLASH;
          end++;
        }
        name += piece.toString("latin1", i, end);
        if (end < piece.length) state = "colon";
        i = end + 1;
        continue;
      }
      if (state === "value" && byte > BLANK && byte !== CLOSE_LIST) {
        if (wanted && (byte === OPEN_OBJECT || byte === OPEN_LIST)) {
          put(byte);
          frames.push({ selection: wanted, isList: byte === OPEN_LIST, isEmpty: true });
          state = byte === OPEN_LIST ? "value" : "name";
          i++;
        } else state = "within";
        continue;
      }
      i++;
      if (byte <= BLANK || !frame) continue;
      if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        put(byte);
        frames.pop();
        state = "after";
      } else if (state === "after") {
        if (frame.isList) {
          put(byte);
          wanted = frame.selection;
        }
        state = frame.isList ? "value" : "name";
      } else if (state === "name") {
        name = "";
        state = "inName";
      } else if (byte === COLON) {
        wanted = frame.selection.get(name);
        state = "value";
        if (wanted === undefined) continue;
        if (!frame.isEmpty) put(COMMA);
        frame.isEmpty = false;
        size += out.write(`"${name}":`, size, "latin1");
      }
    }
    return Buffer.from(out.subarray(0, size));
  };
}
