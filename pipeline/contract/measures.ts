/**
 * How full and how varied each column of a table is, and how it is written: a guard compares these before new data
 * replaces published data.
 */
import { z } from "zod";
import { formOf, vocabularyOf } from "./forms.ts";
import { quoteIdentifier, quoteLiteral } from "./sql-text.ts";
import { duckdbType, type Table } from "./table.ts";

/** A column, or a part of a nested one (`meetings.days`). */
export interface Measure {
  readonly name: string;
  /** An SQL condition: the row has a value. */
  readonly filled: string;
  /** SQL for the value, whose distinct values are counted. */
  readonly value: string;
  /**
   * For columns with a declared form: SQL conditions that the row has any text there, and that all of it has the form.
   */
  readonly form?: { readonly written: string; readonly formed: string };
  /** The vocabulary, if the column has one. */
  readonly vocabulary?: MeasuredVocabulary;
  /** True when the upstream's calendar may empty the column, as when an enrollment window opens. */
  readonly emptiesByNature: boolean;
}

export interface MeasuredVocabulary {
  /** SQL for the list of the row's distinct values. */
  readonly values: string;
  /** Values that may vanish. */
  readonly nothing: readonly string[];
  /** SQL for a hash of the columns that determine the value; absent if there are none. */
  readonly facts?: string;
}

/** Columns that hold a row's origin, or that become true for fewer rows as more is learned. */
const UNMEASURED: Readonly<Record<string, readonly string[]>> = {
  grades: ["sheetOnly", "exportFile", "exportSha256", "exportSheet", "exportRow"],
  sections: ["meetings.timeIsTBA"],
};

const EMPTY_BY_NATURE: Readonly<Record<string, readonly string[]>> = {
  sections: [
    "numOnWaitlist",
    "numWaitlistCap",
    "numRequested",
    "numNewOnlyReserved",
    "numCurrentlyEnrolled.sectionEnrolled",
    "restrictions",
    "status",
  ],
};

/** Conditions that do not follow from the column's type. */
const FILLED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sections: {
    // A missing status is derived from the seats.
    status: "status NOT IN ('OPEN', 'FULL')",
    "finalExam.examStatus": "finalExam.examStatus = 'SCHEDULED_FINAL'",
    "meetings.bldg": "len(list_filter(meetings, lambda m: len(list_filter(m.bldg, lambda b: trim(b) <> '')) > 0)) > 0",
  },
};

/** Both parts of a label such as `ALP 2300` are read from separate fields. */
const ROOMS: Measure = {
  name: "meetings.room",
  filled: "len(list_filter(meetings, lambda m: len(list_filter(m.bldg, lambda b: contains(b, ' '))) > 0)) > 0",
  value: "list_transform(meetings, lambda m: m.bldg)",
  emptiesByNature: false,
};

type Def = { type: string; element?: z.ZodType; innerType?: z.ZodType; shape?: z.ZodRawShape };

const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def;

/** The measures of every column except those of the partition and of `key`, in the order of declaration. */
export function columnMeasures(table: Table, key: readonly string[] = table.key): Measure[] {
  const columns = Object.entries(table.row.shape)
    .filter(([name]) => !key.includes(name) && !table.partitionedBy.includes(name))
    .flatMap(([name, schema]) => measuresOf(name, schema as z.ZodType, quoteIdentifier(name)));
  const measures = withVocabularies(columns)
    .filter(({ name }) => !UNMEASURED[table.name]?.includes(name))
    .map((measure) => ({
      ...measure,
      filled: FILLED[table.name]?.[measure.name] ?? measure.filled,
      emptiesByNature: EMPTY_BY_NATURE[table.name]?.includes(measure.name) ?? false,
    }));
  return "meetings" in table.row.shape ? [...measures, ROOMS] : measures;
}

interface ColumnMeasure extends Omit<Measure, "emptiesByNature" | "vocabulary"> {
  readonly words?: { readonly values: string; readonly of: NonNullable<ReturnType<typeof vocabularyOf>> };
}

/** The measures with their vocabularies, which include the columns that determine a value. */
function withVocabularies(measures: readonly ColumnMeasure[]): Omit<Measure, "emptiesByNature">[] {
  const valueOf = (column: string) => measures.find(({ name }) => name === column)?.value ?? "NULL";
  return measures.map(({ words, ...measure }) => {
    if (!words) return measure;
    const { nothing, follows } = words.of;
    const facts = follows.length === 0 ? {} : { facts: `hash(${follows.map(valueOf).join(", ")})` };
    return { ...measure, vocabulary: { values: words.values, nothing, ...facts } };
  });
}

/** The vocabulary of a value, or of the elements of a list. */
function wordsMeasure(schema: z.ZodType, value: string): Pick<ColumnMeasure, "words"> {
  const def = defOf(schema);
  if (def.type === "nullable") return wordsMeasure(def.innerType as z.ZodType, value);
  const isList = def.type === "array";
  const of = vocabularyOf(isList ? (def.element as z.ZodType) : schema);
  return of ? { words: { values: isList ? `list_distinct(${value})` : `[${value}]`, of } } : {};
}

function measuresOf(name: string, schema: z.ZodType, value: string): ColumnMeasure[] {
  const def = defOf(schema);
  if (def.type === "object" && name.split(".").length === 1)
    return Object.entries(def.shape ?? {}).flatMap(([part, inner]) =>
      measuresOf(`${name}.${part}`, inner as z.ZodType, `${value}.${quoteIdentifier(part)}`),
    );
  const element = def.type === "array" ? defOf(def.element as z.ZodType) : undefined;
  if (element?.type === "object")
    return Object.entries(element.shape ?? {}).map(([part, inner]) => {
      const item = `i.${quoteIdentifier(part)}`;
      const filled = `len(list_filter(${value}, lambda i: ${isFilled(inner as z.ZodType, item)})) > 0`;
      const values = `list_transform(${value}, lambda i: ${item})`;
      return {
        name: `${name}.${part}`,
        filled,
        value: values,
        ...wordsMeasure(z.array(inner as z.ZodType), values),
        ...formMeasure(
          inner as z.ZodType,
          item,
          filled,
          (outside) => `len(list_filter(${value}, lambda i: ${outside})) = 0`,
        ),
      };
    });
  const filled = isFilled(schema, value);
  return [
    {
      name,
      filled,
      value,
      ...wordsMeasure(schema, value),
      ...formMeasure(schema, value, filled, (outside) => `NOT ${outside}`),
    },
  ];
}

function formMeasure(
  schema: z.ZodType,
  value: string,
  written: string,
  formed: (outside: string) => string,
): Pick<Measure, "form"> {
  const outside = isOutside(schema, value, 0);
  return outside === undefined ? {} : { form: { written, formed: `(${written} AND ${formed(outside)})` } };
}

/** SQL: true when the value, or a value in it, does not have the declared form. NULL and an empty text have no form. */
function isOutside(schema: z.ZodType, value: string, depth: number): string | undefined {
  const pattern = formOf(schema);
  const text = duckdbType(schema) === "VARCHAR" ? value : `${value}::VARCHAR`;
  if (pattern !== undefined)
    return `coalesce(trim(${text}) <> '' AND NOT regexp_full_match(${text}, ${quoteLiteral(pattern)}), false)`;
  const def = defOf(schema);
  switch (def.type) {
    case "nullable":
      return isOutside(def.innerType as z.ZodType, value, depth);
    case "array": {
      const inner = isOutside(def.element as z.ZodType, `e${depth}`, depth + 1);
      return inner && `coalesce(len(list_filter(${value}, lambda e${depth}: ${inner})) > 0, false)`;
    }
    case "object": {
      const parts = Object.entries(def.shape ?? {}).flatMap(
        ([part, inner]) => isOutside(inner as z.ZodType, `${value}.${quoteIdentifier(part)}`, depth) ?? [],
      );
      return parts.length === 0 ? undefined : `(${parts.join(" OR ")})`;
    }
    default:
      return undefined;
  }
}

function isFilled(schema: z.ZodType, value: string): string {
  const def = defOf(schema);
  switch (def.type) {
    case "string":
      if (duckdbType(schema) !== "VARCHAR") return `${value} IS NOT NULL`;
      // Exclude the empty JSON texts.
      return `trim(${value}) NOT IN ('', '{}', '[]')`;
    case "number":
      return `${value} <> 0`;
    case "boolean":
      return value;
    case "array":
      return `len(${value}) > 0`;
    case "record":
      return `cardinality(${value}) > 0`;
    case "nullable": {
      const inner = def.innerType as z.ZodType;
      return ["string", "array"].includes(defOf(inner).type)
        ? `(${value} IS NOT NULL AND ${isFilled(inner, value)})`
        : `${value} IS NOT NULL`;
    }
    default:
      return `${value} IS NOT NULL`;
  }
}
