/**
 * Readers of outside input are declared with fixtures, and with the allowed outcomes: a typed error of a sentence, or
 * values.
 */
import { damageIn } from "../../pipeline/text/decode-text.ts";
import { mutantsOf, type Mutants, type Structure } from "./mutants.ts";

type Kind = abstract new (...args: never[]) => Error;

export interface Declared {
  readonly name: string;
  readonly structure: Structure;
  /** Fixtures by name. */
  readonly fixtures: Readonly<Record<string, string | Buffer>>;
  /** The errors that may come. */
  readonly refusals: readonly Kind[];
  /** Reads as a run does, up to the final values. */
  read(bytes: Buffer): unknown;
}

export interface Fixture<D extends Declared = Declared> {
  readonly name: string;
  readonly declared: D;
  readonly structure: Structure;
  readonly bytes: Buffer;
  /** Its share of what is tried of all fixtures of that name. */
  readonly share: number;
}

export function fixturesOf<D extends Declared>(all: readonly D[]): Fixture<D>[] {
  const counts = new Map<string, number>();
  for (const { name, fixtures } of all) counts.set(name, (counts.get(name) ?? 0) + Object.keys(fixtures).length);
  return all.flatMap((declared) =>
    Object.entries(declared.fixtures).map(([name, content]) => ({
      name: `${declared.name}, ${name}`,
      declared,
      structure: declared.structure,
      bytes: Buffer.from(content as string),
      share: 1 / (counts.get(declared.name) ?? 1),
    })),
  );
}

export type Outcome = { readonly value: unknown } | { readonly refusal: string };

const MOST_TEXT = 4_096;

/** @throws what is none of its errors, and an error whose words have no end */
export async function outcomeOf({ read, refusals }: Declared, bytes: Buffer): Promise<Outcome> {
  try {
    return { value: await read(bytes) };
  } catch (error) {
    if (!(error instanceof Error) || !refusals.some((kind) => error instanceof kind)) throw error;
    if (error.message.length > MOST_TEXT) throw new Error("the words of an error have no end", { cause: error });
    return { refusal: error.message };
  }
}

/**
 * Each mutant is refused, or its values can be published; returns how many were read, and the milliseconds of the
 * slowest.
 */
export async function tryMutants(fixture: Fixture, of: Mutants): Promise<{ read: number; slowestMs: number }> {
  let [read, slowestMs] = [0, 0];
  for (const { name, bytes } of mutantsOf(fixture, of)) {
    const began = performance.now();
    const outcome = await outcomeOf(fixture.declared, bytes).catch((error: unknown) => {
      throw new Error(name, { cause: error });
    });
    slowestMs = Math.max(slowestMs, performance.now() - began);
    if ("refusal" in outcome) continue;
    const problem = unpublishable(outcome.value);
    if (problem !== undefined) throw new Error(`${name}: no table can hold ${problem}`);
    read++;
  }
  return { read, slowestMs: Math.round(slowestMs) };
}

/** A value that no table can hold: a damaged text, or a number beyond its 32 bits; undefined when there is none. */
function unpublishable(value: unknown): string | undefined {
  if (typeof value === "string") return damageIn(value);
  if (typeof value === "number") return Math.abs(value) < 2 ** 31 ? undefined : String(value);
  if (typeof value !== "object" || value === null) return undefined;
  for (const part of Object.values(value)) {
    const problem = unpublishable(part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
