/** Kinds of query parameters (server/RULES.md, HTTP): each parses the strings of one name to a value. */
import type { TableName } from "../../pipeline/contract/tables.ts";

/** An invalid parameter; the message states what is allowed. */
export class ParamProblem extends Error {
  constructor(
    allowed: string,
    readonly item?: string,
    readonly meant?: string,
  ) {
    super(allowed);
  }
}

/** The JSON schema of a value, for the documentation; `examples` are written as clients send them. */
interface ValueSchema {
  readonly type: "string" | "boolean" | "integer";
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | boolean | number;
  readonly examples?: readonly (string | boolean | number)[];
}

type Documented = Pick<ValueSchema, "pattern" | "default" | "examples">;

export interface Param<T> {
  readonly about: string;
  readonly schema: ValueSchema;
  /** True if the parameter takes several values: a comma list, repetition, or both. */
  readonly multi: boolean;
  /**
   * True if the single value may contain commas, as names and titles do. Otherwise a comma separates a second value,
   * which is a 400.
   */
  readonly withCommas?: boolean;
  /** True if the response depends on the order of the values. */
  readonly ordered?: boolean;
  /** An additional table that the response depends on if the parameter is given. */
  readonly reads?: TableName;
  readonly required?: boolean;
  /** Parses the non-empty items; undefined = no filter. @throws ParamProblem */
  read(items: readonly string[]): T | undefined;
}

/**
 * Texts that clients send and the values that they are parsed to; undefined is a 400. Tests run them, and RULES.md
 * shows them.
 */
export type Examples = readonly (readonly [text: string, read: unknown])[];

export const FLAG_EXAMPLES: Examples = [
  ["true", true],
  ["false", false],
  ["", undefined],
  ["yes", undefined],
];

export type Params = Readonly<Record<string, Param<unknown>>>;
export type ValueOf<P> = P extends Param<infer T> ? T : never;
export type ValuesOf<P extends Params> = { readonly [K in keyof P]?: ValueOf<P[K]> };

interface Suggesting {
  readonly suggest?: (wrong: string) => string | undefined;
}

const single =
  <T>(read: (text: string) => T | undefined) =>
  (items: readonly string[]) => {
    const [first] = items;
    return first === undefined ? undefined : read(first);
  };

interface Normalizing {
  /** Normalizes a value; by default it stays as sent. */
  readonly normalize?: (value: string) => string;
  /** Normal forms that mean "no filter", even next to other values. */
  readonly noFilter?: readonly string[];
}

/** Declares free text. Blank text counts as absent, and so do `noFilter` values. */
export function text(
  about: string,
  {
    normalize = (value) => value,
    noFilter = [],
    withCommas = false,
    ...documented
  }: Normalizing & Pick<Param<string>, "withCommas"> & Documented = {},
): Param<string> {
  return {
    about,
    multi: false,
    withCommas,
    schema: { type: "string", ...(withCommas ? {} : { pattern: "^[^,]*$" }), ...documented },
    read: single((value) => {
      const normal = normalize(value);
      return normal.trim() === "" || noFilter.includes(normal) ? undefined : normal;
    }),
  };
}

export function texts(
  about: string,
  { normalize = (value) => value, noFilter = [], ...documented }: Normalizing & Documented = {},
): Param<readonly string[]> {
  return {
    about,
    multi: true,
    schema: { type: "string", ...documented },
    read(items) {
      const values = [...new Set(items.map(normalize))].filter((value) => value !== "");
      return values.length === 0 || values.some((value) => noFilter.includes(value)) ? undefined : values;
    },
  };
}

/** Declares a string that matches a regular expression; `described` is the error message. */
export function formed(
  about: string,
  form: RegExp,
  described: string,
  { suggest = () => undefined, ...documented }: Documented & Suggesting = {},
): Param<string> {
  return {
    about,
    multi: false,
    schema: { type: "string", pattern: form.source, ...documented },
    read: single((value) => {
      if (!form.test(value)) throw new ParamProblem(described, value, suggest(value));
      return value;
    }),
  };
}

/** Declares a list whose items `readItem` parses; it returns undefined for an invalid item. */
export function listOf<T>(
  about: string,
  readItem: (item: string) => T | undefined,
  described: string,
  { suggest = () => undefined, ...documented }: Documented & Suggesting = {},
): Param<readonly T[]> {
  return {
    about,
    multi: true,
    schema: { type: "string", ...documented },
    read: (items) => {
      const values = items.map(readItem);
      const wrong = items[values.findIndex((value) => value === undefined)];
      if (wrong !== undefined) throw new ParamProblem(described, wrong, suggest(wrong));
      return values.length > 0 ? (values as T[]) : undefined;
    },
  };
}

/** Declares a value that `read` parses; it returns undefined for an invalid value. */
export function formOf<T>(
  about: string,
  read: (text: string) => T | undefined,
  described: string,
  documented: Documented = {},
): Param<T> {
  return {
    about,
    multi: false,
    schema: { type: "string", ...documented },
    read: single((value) => {
      const parsed = read(value.trim());
      if (parsed === undefined) throw new ParamProblem(described);
      return parsed;
    }),
  };
}

export const numberOf = (about: string, form: RegExp, described: string, examples: readonly string[]): Param<number> =>
  formOf(about, (value) => (form.test(value) ? Number(value) : undefined), described, {
    pattern: form.source,
    examples,
  });

/** Declares a choice of values, case-sensitive; `noFilter` values count as absent. */
export function oneOf<const T extends string>(
  about: string,
  values: readonly T[],
  {
    noFilter = [],
    aliases = {},
    ...documented
  }: { noFilter?: readonly string[]; aliases?: Readonly<Record<string, T>> } & Documented = {},
): Param<T> {
  const allowed = [...noFilter.filter((value) => value === "ANY"), ...values];
  // Generators make identifiers of these, which must differ in more than case.
  const further = Object.keys(aliases).filter((alias) => aliases[alias]?.toLowerCase() !== alias.toLowerCase());
  const accepted = [...new Set([...allowed, ...noFilter, ...further])];
  const remarks = [
    ...(noFilter.length > 0 ? [`${noFilter.join(" and ")} ask for everything`] : []),
    ...Object.entries(aliases).map(([alias, value]) => `${alias} is the same as ${value}`),
  ];
  return {
    about: [about, ...remarks].join("; "),
    multi: false,
    schema: {
      type: "string",
      enum: accepted,
      ...(noFilter[0] === undefined ? {} : { default: noFilter[0] }),
      examples: values.slice(0, 1),
      ...documented,
    },
    read: single((value) => {
      if (noFilter.includes(value)) return undefined;
      const match = values.find((v) => v === value) ?? (Object.hasOwn(aliases, value) ? aliases[value] : undefined);
      if (match === undefined) throw new ParamProblem(`one of ${allowed.join(", ")}`);
      return match;
    }),
  };
}

export function flag(about: string, byDefault = false): Param<boolean> {
  return {
    about,
    multi: false,
    schema: { type: "boolean", default: byDefault, examples: [!byDefault] },
    read: single((value) => {
      if (value !== "true" && value !== "false") throw new ParamProblem("true or false");
      return value === "true";
    }),
  };
}

export const required = <T>(param: Param<T>): Param<T> => ({ ...param, required: true });
