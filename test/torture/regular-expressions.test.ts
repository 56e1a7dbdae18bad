/** No regular expression of the programs takes forever: near matches with a repeated part are rejected at once. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LITERAL =
  /(?<=(?:^|[=(,:[!&|?{};>]|\breturn)\s*)\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)/gm;

const literals = new Map<string, RegExp>();
for (const folder of ["pipeline", "server"])
  for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }))
    if (/\.tsx?$/.test(name) && !name.startsWith("campus/"))
      for (const [text, source = "", flags = ""] of readFileSync(join(ROOT, folder, name), "utf8").matchAll(LITERAL)) {
        try {
          literals.set(text, new RegExp(source, flags.replace(/[gy]/g, "")));
        } catch {
          // Part of a text.
        }
      }

/** Enough that two ways to read each part make more ways than anybody can try. */
const TIMES = 60;
const TIMEOUT_MS = 2_000;

/**
 * Texts that match, without parts that the generator does not know, such as look-arounds; none if a part must be
 * repeated.
 */
function samplesOf({ source, flags }: RegExp): string[] {
  if (/\\[1-9]/.test(source)) return [];
  const known = source
    .replace(/\(\?<?[=!](?:[^()\\]|\\.|\[(?:[^\]\\]|\\.)*\]|\([^()]*\))*\)|\\b|\\B/g, "")
    .replace(/\\p\{\w+\}/gi, "a")
    // Any other character: one of a few, as the generator would choose among all of Unicode.
    .replace(/\[\^(?:[^\]\\]|\\.)*\]|\\[SDW]|(?<!\\)\./g, "[a x-]");
  try {
    return fc.sample(fc.stringMatching(new RegExp(known, flags.replace(/[imv]/g, ""))), { numRuns: 4, seed: 1 });
  } catch {
    return [];
  }
}

/** Each with one of its parts repeated, and an end that nothing matches. */
function* pumped(samples: readonly string[]): Generator<string> {
  for (const text of samples)
    for (let start = 0; start < Math.min(text.length, 12); start++)
      for (const length of [1, 2, 3]) {
        const part = text.slice(start, start + length);
        yield `${text.slice(0, start)}${part.repeat(TIMES)}${text.slice(start + length)}\u0001`;
      }
}

test("every regular expression tells in time", () => {
  expect(literals.size).toBeGreaterThan(400);
  const context = createContext({ texts: [] as string[], form: /x/ });
  const endless: string[] = [];
  let sampled = 0;
  for (const [text, form] of literals) {
    const texts = [...new Set(pumped(samplesOf(form)))];
    if (texts.length > 0) sampled++;
    Object.assign(context, { form, texts });
    try {
      runInContext("for (const text of texts) form.test(text)", context, { timeout: TIMEOUT_MS });
    } catch {
      endless.push(text);
    }
  }
  process.stdout.write(`${JSON.stringify({ expressions: literals.size, tried: sampled, endless })}\n`);
  expect(endless).toEqual([]);
});
