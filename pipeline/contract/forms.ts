/**
 * The forms in which the values of a column are written. An upstream may change them while every column stays filled: a
 * name in another order, days in other letters, a status in lower case. The guard, the audit and the OpenAPI document
 * read these declarations.
 */
import { z } from "zod";

/** Use a registry: its entries survive the copy that `.describe()` creates. */
const forms = z.registry<{ pattern: string }>();

/**
 * Declares the form of a text, or of a number as text. The pattern is for the whole value, in the syntax that
 * JavaScript and RE2 share.
 */
export function formed<T extends z.ZodType>(schema: T, { source: pattern }: RegExp): T {
  forms.add(schema, { pattern });
  return schema;
}

/** The pattern of the whole value; undefined if any text is valid. */
export const formOf = (schema: z.ZodType): string | undefined => forms.get(schema)?.pattern;

/** A column with few values that many rows share. The guard counts the rows of each value. */
interface Vocabulary {
  /** Values that say nothing about the row yet, or that this service assigns: they may vanish. */
  readonly nothing: readonly string[];
  /** The columns, by their names in `columnMeasures`, that determine the value: seats, for a status. */
  readonly follows: readonly string[];
}

const PLAIN: Vocabulary = { nothing: [], follows: [] };

const vocabularies = z.registry<Vocabulary>();

/**
 * Declares that the texts of the column, or of its list, are a vocabulary. Enumerations are vocabularies without a
 * declaration.
 */
export function vocabulary<T extends z.ZodType>(schema: T, about: Partial<Vocabulary> = {}): T {
  // The registry drops an entry without fields.
  vocabularies.add(schema, { ...PLAIN, ...about });
  return schema;
}

/** The vocabulary of the schema itself, without that of its elements. */
export const vocabularyOf = (schema: z.ZodType): Vocabulary | undefined =>
  vocabularies.get(schema) ?? (schema.def.type === "enum" ? PLAIN : undefined);

/** Matches any of these texts. */
export const oneOf = (texts: readonly string[]): RegExp => new RegExp(texts.join("|"));

/** `AC ENG`, `I&C SCI`, `CRM/LAW` */
export const DEPARTMENT_CODE = /[A-Z0-9][A-Z0-9 &/.'-]*/;
/** `161`, `H32`, `M118L`, `190W` */
export const COURSE_NUMBER = /[A-Z]{0,4}\d+[A-Z]{0,5}/;
/** `4`, `1.3`, `1-4` */
export const UNITS = /\d*\.?\d+(-\d*\.?\d+)?/;
/** `GARZA RODRIGUE, A.`; `STAFF` if nobody is named yet. */
export const SHORTENED_NAME = /STAFF|[^,a-z]*[^,\sa-z], [^\s,.a-z]{1,3}\.?/;
/** `MWF`, `TuTh` */
export const WEEK_DAYS = /(Su|M|Tu|W|Th|F|Sa)+/;
/** `ALP 2300`, `ON LINE`, `TBA` */
export const PLACE = /[A-Z0-9][A-Z0-9&'./-]*( [A-Z0-9][A-Z0-9&'./ -]*)?/;
/**
 * From six in the morning; past 23 for classes that run past midnight. Nothing is taught at night, so other values mean
 * another clock.
 */
export const HOUR = /[6-9]|1\d|2[0-5]/;
export const MINUTE = /[0-5]?\d/;
export const COUNT = /\d+/;
/** A closed waitlist has its students in brackets. */
export const WAITLIST = /\d+|n[/]a|off\(\d+\)/;
/** `A`, `A and L` */
export const RESTRICTIONS = /[A-Z]( (and|or) [A-Z])*/;
export const NETID = /[a-z0-9][a-z0-9._-]*/;
export const EMAIL = /[^\s@]+@[^\s@]+\.[^\s@]+/;
/** The records office's two decimals as a number: `3.25`, `3.5`, `3.0`. */
export const AVERAGE = /[0-3]\.\d\d?|4\.[0-3]\d?/;
/** `9:00-10:50a` */
export const TIME_RANGE = /\d{1,2}:\d\d[ap]?-\d{1,2}:\d\d[ap]?/;
/** `34160` */
export const SECTION_CODE = /\d{5}/;
/** One of three labels, with its course numbers in brackets. */
export const COURSE_LEVEL = /[A-Z].*\(\d+(-\d+|\+)\)/;
