/**
 * How the values of a column are written. Upstreams also change that, and every column stays filled: a name in another order, days in other letters, a
 * status in lower case. The guard, the audit and the OpenAPI document read these declarations.
 */
import { z } from "zod";

/** A registry, as its entries survive the copy that `.describe()` makes. */
const forms = z.registry<{ pattern: string }>();

/** Declares the form of a text, or of a number as text. The pattern is for the whole value, in the syntax that JavaScript and RE2 share. */
export function formed<T extends z.ZodType>(schema: T, { source: pattern }: RegExp): T {
  forms.add(schema, { pattern });
  return schema;
}

/** The pattern of the whole value; undefined where any text may stand. */
export const formOf = (schema: z.ZodType): string | undefined => forms.get(schema)?.pattern;

/** A column of few values that many rows share. The guard counts the rows of each value. */
interface Vocabulary {
  /** Values that say nothing of the row yet, or are our own words for it: they may vanish. */
  readonly nothing: readonly string[];
  /** The columns, as `columnMeasures` names them, with which the value changes by its nature: seats, of a status. */
  readonly follows: readonly string[];
}

const PLAIN: Vocabulary = { nothing: [], follows: [] };

const vocabularies = z.registry<Vocabulary>();

/**
 * Declares that the texts of the column, or of its list, are a vocabulary. Enumerations are vocabularies without being
 * declared.
 */
export function vocabulary<T extends z.ZodType>(schema: T, about: Partial<Vocabulary> = {}): T {
  // The registry forgets an entry without fields.
  vocabularies.add(schema, { ...PLAIN, ...about });
  return schema;
}

/** The vocabulary of the schema itself, without that of its elements. */
export const vocabularyOf = (schema: z.ZodType): Vocabulary | undefined =>
  vocabularies.get(schema) ?? (schema.def.type === "enum" ? PLAIN : undefined);

/** One of these texts. */
export const oneOf = (texts: readonly string[]): RegExp => new RegExp(texts.join("|"));

/** `AC ENG`, `I&C SCI`, `CRM/LAW` */
export const DEPARTMENT_CODE = /[A-Z0-9][A-Z0-9 &/.'-]*/;
/** `161`, `H32`, `M118L`, `190W` */
export const COURSE_NUMBER = /[A-Z]{0,4}\d+[A-Z]{0,5}/;
/** `4`, `1.3`, `1-4` */
export const UNITS = /\d*\.?\d+(-\d*\.?\d+)?/;
/** `GARZA RODRIGUE, A.`; `STAFF` where nobody is named yet. */
export const SHORTENED_NAME = /STAFF|[^,a-z]*[^,\sa-z], [^\s,.a-z]{1,3}\.?/;
/** `MWF`, `TuTh` */
export const WEEK_DAYS = /(Su|M|Tu|W|Th|F|Sa)+/;
/** `ALP 2300`, `ON LINE`, `TBA` */
export const PLACE = /[A-Z0-9][A-Z0-9&'./-]*( [A-Z0-9][A-Z0-9&'./ -]*)?/;
/** From six in the morning; past 23 for what runs past midnight. Nothing is taught at night: another clock would say so. */
export const HOUR = /[6-9]|1\d|2[0-5]/;
export const MINUTE = /[0-5]?\d/;
export const COUNT = /\d+/;
/** Of a waitlist that is closed, the students on it stand in brackets. */
export const WAITLIST = /\d+|n[/]a|off\(\d+\)/;
/** `A`, `A and L` */
export const RESTRICTIONS = /[A-Z]( (and|or) [A-Z])*/;
export const NETID = /[a-z0-9][a-z0-9._-]*/;
export const EMAIL = /[^\s@]+@[^\s@]+\.[^\s@]+/;
/** The records office's two decimals as a number is written: `3.25`, `3.5`, `3.0`. */
export const AVERAGE = /[0-3]\.\d\d?|4\.[0-3]\d?/;
/** `9:00-10:50a` */
export const TIME_RANGE = /\d{1,2}:\d\d[ap]?-\d{1,2}:\d\d[ap]?/;
/** `34160` */
export const SECTION_CODE = /\d{5}/;
/** One of three, with its course numbers in brackets. */
export const COURSE_LEVEL = /[A-Z].*\(\d+(-\d+|\+)\)/;
