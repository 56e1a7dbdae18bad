/** The fixtures of all parsers, cut and mutated. */
import { expect } from "vitest";
import { UpstreamBadResponse } from "../../../pipeline/errors.ts";
import { cutsOf, mutantsOf, type Mutants } from "../../support/mutants.ts";
import { outcomeOf, unpublishable } from "../../support/outcomes.ts";
import { type DeclaredParser, PARSERS } from "./declared-parsers.ts";

export interface ParserFixture {
  readonly name: string;
  readonly parser: DeclaredParser;
  readonly structure: DeclaredParser["structure"];
  readonly bytes: Buffer;
  /** Its share of what is tried of the parser. */
  readonly share: number;
}

const fixturesOf = (name: string) =>
  PARSERS.filter((parser) => parser.name === name).flatMap((one) => Object.keys(one.fixtures));

export const PARSER_FIXTURES: readonly ParserFixture[] = PARSERS.flatMap((parser) =>
  Object.entries(parser.fixtures).map(([name, content]) => ({
    name: `${parser.name}, ${name}`,
    parser,
    structure: parser.structure,
    bytes: Buffer.from(content as string),
    share: 1 / fixturesOf(parser.name).length,
  })),
);

const outcome = ({ parser }: ParserFixture, bytes: Buffer) =>
  outcomeOf(() => parser.read(bytes), [UpstreamBadResponse]);

/** A cut is refused, or what is left is the whole, or its first rows. */
export async function expectCuts(fixture: ParserFixture, most: number): Promise<void> {
  const whole = await outcome(fixture, fixture.bytes);
  if ("refusal" in whole) return;
  let refused = 0;
  for (const bytes of cutsOf(fixture.bytes, most)) {
    const cut = await outcome(fixture, bytes);
    if ("refusal" in cut) refused++;
    else if (fixture.parser.cut === "refused") expect(cut, bytes.toString()).toEqual(whole);
    // In the last one a value may have lost its end.
    else expect(whole.value).toEqual(expect.arrayContaining((cut.value as unknown[]).slice(0, -1)));
  }
  if (fixture.parser.cut === "refused") expect(refused).toBeGreaterThan(0);
}

/** Mutants are refused, or read as what can be published; returns how many were read, and the slowest. */
export async function expectMutants(fixture: ParserFixture, of: Mutants): Promise<{ read: number; slowestMs: number }> {
  let [read, slowestMs] = [0, 0];
  for (const { name, bytes } of mutantsOf(fixture, of)) {
    const began = performance.now();
    const found = await outcome(fixture, bytes).catch((error: unknown) => {
      throw new Error(name, { cause: error });
    });
    slowestMs = Math.max(slowestMs, performance.now() - began);
    if ("refusal" in found) continue;
    expect(unpublishable(found.value), name).toBeUndefined();
    read++;
  }
  return { read, slowestMs: Math.round(slowestMs) };
}
