/** What may become of input from outside: a typed error of a sentence, or values that can be published. */
import { damageIn } from "../../pipeline/text/decode-text.ts";

export type Outcome<T> = { readonly value: T } | { readonly refusal: string };

type Kind = abstract new (...args: never[]) => Error;

const MOST_TEXT = 1_000;

/** @throws what is none of these, and an error whose words have no end */
export async function outcomeOf<T>(read: () => T | Promise<T>, refusals: readonly Kind[]): Promise<Outcome<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    if (!(error instanceof Error) || !refusals.some((kind) => error instanceof kind)) throw error;
    if (error.message.length > MOST_TEXT) throw new Error("the words of an error have no end", { cause: error });
    return { refusal: error.message };
  }
}

/** What no table can hold: a damaged text, or a number beyond its 32 bits; undefined when there is none. */
export function unpublishable(value: unknown): string | undefined {
  if (typeof value === "string") return damageIn(value);
  if (typeof value === "number") return Math.abs(value) < 2 ** 31 ? undefined : String(value);
  if (typeof value !== "object" || value === null) return undefined;
  for (const one of Object.values(value)) {
    const found = unpublishable(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
