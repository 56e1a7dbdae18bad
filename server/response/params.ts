/**
 * The grammar of query parameters (behaviour §1): a kind reads the texts that a client sent for one name into a value, or says what is allowed.
 */
/** What is wrong with one parameter; the message says what is allowed. */
export class ParamProblem extends Error {
  constructor(
    allowed: string,
    /** The item that is wrong, where one of several is. */
    readonly item?: string,
    /** What was probably meant. */
    readonly meant?: string,
  ) {
    super(allowed);
  }
}

/** JSON schema of one value, for the documentation; `examples` are texts that a client may send. */
export interface ValueSchema {
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

/** What a declaration adds to the schema of its kind. */
export type Documented = Pick<ValueSchema, "pattern" | "default" | "examples">;

/** One kind of parameter. */
export interface Param<T> {
  /** For the documentation. */
  readonly about: string;
  readonly schema: ValueSchema;
  /** Several values: comma list, repetition, or both. */
  readonly multi: boolean;
  readonly required?: boolean;
  /** Reads the non-empty items; undefined = no filter. @throws ParamProblem */
  read(items: readonly string[]): T | undefined;
}

export type Params = Readonly<Record<string, Param<unknown>>>;
export type ValueOf<P> = P extends Param<infer T> ? T : never;
export type ValuesOf<P extends Params> = { readonly [K in keyof P]?: ValueOf<P[K]> };

/** What a wrong text probably is, where that can be told. */
interface Suggesting {
  readonly suggest?: (wrong: string) => string | undefined;
}

const one =
  <T>(read: (text: string) => T | undefined) =>
  (items: readonly string[]) => {
    const [first] = items;
    return first === undefined ? undefined : read(first);
  };

/** Free text; a text of blanks alone is no text. */
export function text(about: string, documented: Documented = {}): Param<string> {
  return {
    about,
    multi: false,
    schema: { type: "string", ...documented },
    read: one((value) => (value.trim() === "" ? undefined : value)),
  };
}

/** Several free texts. */
export function texts(about: string, documented: Documented = {}): Param<readonly string[]> {
  return {
    about,
    multi: true,
    schema: { type: "string", ...documented },
    read: (items) => (items.length > 0 ? items : undefined),
  };
}

/** A text of one form, given as a regular expression, and how the form is described; `suggest` says what a wrong one probably is. */
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
    read: one((value) => {
      if (!form.test(value)) throw new ParamProblem(described, value, suggest(value));
      return value;
    }),
  };
}

/** Several items that one function reads; it returns undefined for what it does not know. */
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

/** One item that a function reads; it returns undefined for what it does not know. */
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
    read: one((value) => {
      const found = read(value.trim());
      if (found === undefined) throw new ParamProblem(described);
      return found;
    }),
  };
}

/** One of the listed values, case-sensitive; `noFilter` values mean that nothing was asked. */
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
  const accepted = [...new Set([...allowed, ...noFilter, ...Object.keys(aliases)])];
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
    read: one((value) => {
      if (noFilter.includes(value)) return undefined;
      const found = values.find((v) => v === value) ?? (Object.hasOwn(aliases, value) ? aliases[value] : undefined);
      if (found === undefined) throw new ParamProblem(`one of ${allowed.join(", ")}`);
      return found;
    }),
  };
}

/** `true` or `false`. */
export function flag(about: string, byDefault = false): Param<boolean> {
  return {
    about,
    multi: false,
    schema: { type: "boolean", default: byDefault, examples: [!byDefault] },
    read: one((value) => {
      if (value !== "true" && value !== "false") throw new ParamProblem("true or false");
      return value === "true";
    }),
  };
}

/** The same kind, but the endpoint cannot answer without it. */
export const required = <T>(param: Param<T>): Param<T> => ({ ...param, required: true });

/** A client's own text as it is shown in messages: cut at 100 characters, control characters replaced. */
export function shown(value: string): string {
  // eslint-disable-next-line no-control-regex
  const cut = value.replace(/[\u0000-\u001f\u007f]/g, "\ufffd");
  // A character outside the basic plane is two units: half of one is none.
  return `"${cut.length > 100 ? `${cut.slice(0, 100).replace(/[\ud800-\udbff]$/, "")}…` : cut}"`;
}
