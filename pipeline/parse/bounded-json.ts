/** Counts the depth and the number of values of JSON before it is parsed. */
import { beyondLimit, LIMITS } from "../limits.ts";

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Parses JSON. @throws UpstreamBadResponse when it is beyond a limit; SyntaxError when it is not JSON */
export function parseBoundedJson(system: string, text: string): unknown {
  let levels = 0;
  let values = 1;
  let isText = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isText) {
      if (code === BACKSLASH) i++;
      else isText = code !== QUOTE;
    } else if (code === QUOTE) isText = true;
    else if (code === COMMA) values++;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      values++;
      levels++;
      if (levels > LIMITS.json.levels) throw beyondLimit(system, "response", LIMITS.json.levels, "levels of JSON");
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) levels--;
    if (values > LIMITS.json.values) throw beyondLimit(system, "response", LIMITS.json.values, "values");
  }
  return JSON.parse(text) as unknown;
}
