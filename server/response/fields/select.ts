/** Selects fields of a JSON body: parses it, picks, and serializes it again. */
import { isBuffered } from "../encoding.ts";
import type { Body } from "../endpoint.ts";

/** The selected fields of an object; `null` selects a field as a whole. */
type Selection = ReadonlyMap<string, Selection | null>;

/** Selects fields. @param names dotted, none inside another */
export async function selectFields(body: Body, names: readonly string[]): Promise<Body> {
  const selection = toSelection(names);
  if (!isBuffered(body)) return selectStreamed(body, selection);
  return [Buffer.from(select(Buffer.concat(body).toString(), selection))];
}

function toSelection(names: readonly string[]): Selection {
  const inside = new Map<string, string[]>();
  for (const name of names) {
    const [first = "", rest] = name.split(/\.(.*)/);
    inside.set(first, [...(inside.get(first) ?? []), ...(rest === undefined ? [] : [rest])]);
  }
  return new Map([...inside].map(([name, rest]) => [name, rest.length === 0 ? null : toSelection(rest)]));
}

/** Selects from a streamed array, whose chunks are whole elements after `[` or a comma; see `jsonArray`. */
async function* selectStreamed(body: Body, selection: Selection): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    const [separator, elements] = [chunk.toString("latin1", 0, 1), chunk.toString("utf8", 1)];
    const isEnd = elements === "" || elements === "]";
    yield isEnd ? chunk : Buffer.from(separator + select(`[${elements}]`, selection).slice(1, -1));
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
/** Marks a text that is a number. No text of the data has this character. */
const NUMBER = "\ufdd0";
const MARKED = new RegExp(`"${NUMBER}([^"]*)"`, "g");

/** Matches every number that JavaScript may spell in another way. */
const RESPELLED = /\.\d*0(?!\d)|\.0{6}|\d[eE]|\d{16}|-0/;

/** Numbers keep their spelling, such as `3.0`: they are read as texts. */
function select(json: string, selection: Selection): string {
  if (!RESPELLED.test(json)) return JSON.stringify(pick(JSON.parse(json), selection));
  const marked = json.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"${NUMBER}${token}"`));
  return JSON.stringify(pick(JSON.parse(marked), selection)).replace(MARKED, "$1");
}

function pick(value: unknown, selection: Selection | null): unknown {
  if (selection === null || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => pick(element, selection));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const inside = selection.get(name);
      return inside === undefined ? [] : [[name, pick(part, inside)]];
    }),
  );
}
