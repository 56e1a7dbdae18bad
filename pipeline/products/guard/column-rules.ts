/** Rules for columns that lost their values, or write them differently. They are pure: they compare counts. */
import { columnMeasures, type Measure } from "../../contract/measures.ts";
import { type UnknownField, unknownFieldText } from "../../contract/source-fields.ts";
import type { Table } from "../../contract/table.ts";
import type { Losses, Profile } from "./profile.ts";

/** A column is guarded when this many of the common keys, and this share of them, had a value. */
const LEAST_HELD = 20;
const LEAST_HELD_SHARE = 0.05;
/** In a smaller table, a column is guarded when most rows had a value, and none has a value now. */
const FEW_HELD = 3;
const MOST_HELD_SHARE = 0.5;
/** The share of values that a column may lose at most. */
const MOST_LOST = 0.5;
/**
 * With a cause, a column must not lose this share of its values, if the loss is at least LEAST_OF_CAUSE of the rows with
 * the cause; nor all of its values.
 */
const MOST_LOST_BESIDE = 0.05;
const LEAST_OF_CAUSE = 0.5;
/** A column that had several values in this many rows must not become constant. */
const VARIED_ROWS = 50;
const VARIED_VALUES = 3;

/** A value of a vocabulary that had this many rows must not vanish; with fewer rows, it is noted. */
const LEAST_ROWS_OF_VALUE = 10;
const FEW_ROWS_OF_VALUE = 3;
/** A value that follows other columns may vanish, unless these stayed unchanged in more than this share of its rows. */
const MOST_UNEXPLAINED = 0.5;

/** Two versions of rows. `losses` is absent if they have no common keys: then shares of rows are compared. */
export interface Compared {
  /** The name of the rows in messages. */
  readonly what: string;
  readonly table: Table;
  readonly key: readonly string[];
  readonly before: Profile;
  readonly now: Profile;
  readonly losses?: Losses | undefined;
  /** The new unknown fields that may have caused a column's loss. */
  readonly causesOf: (column: string) => readonly UnknownField[];
}

export interface ColumnBreach {
  readonly column: string;
  /** The value that vanished; absent if the whole column is affected. */
  readonly value?: string;
  readonly text: string;
  /** False for a column that the calendar may empty, without a cause. */
  readonly isSerious: boolean;
  readonly isFormBreach: boolean;
}

/** The number of rows that had a value, and of those that lost it. */
interface Lost {
  readonly of: number;
  readonly held: number;
  readonly lost: number;
}

const isEmptied = ({ of, held, lost }: Lost, isNoneLeft: boolean): boolean =>
  (held >= LEAST_HELD && held >= of * LEAST_HELD_SHARE && lost > held * MOST_LOST) ||
  (held >= FEW_HELD && held > of * MOST_HELD_SHARE && lost >= held && isNoneLeft);

const isLostBeside = ({ held, lost }: Lost, causes: readonly UnknownField[]): boolean =>
  lost > 0 &&
  lost >= held * MOST_LOST_BESIDE &&
  causes.some(({ count }) => lost >= held || lost >= count * LEAST_OF_CAUSE);

/** The breaches between two versions of the same rows. */
export const columnBreaches = (compared: Compared): ColumnBreach[] => {
  const whole = columnMeasures(compared.table, compared.key).flatMap((measure) => {
    const breach = emptied(compared, measure) ?? constant(compared, measure);
    const rewritten = formBreach(compared, measure);
    return [...(breach ? [breach] : []), ...(rewritten && !breach?.isSerious ? [rewritten] : [])];
  });
  const told = new Set(whole.flatMap(({ column, isSerious }) => (isSerious ? column : [])));
  return [...whole, ...vanishedValues(compared).filter(({ column }) => !told.has(column))];
};

/** Values of vocabularies, including those in the key, that no row has any more. */
export const vanishedValues = (compared: Compared): ColumnBreach[] =>
  columnMeasures(compared.table, []).flatMap((measure) => vanished(compared, measure));

/**
 * A new term is not filled like a past one: only a value that was in most rows, is in none and has a cause is a breach.
 */
export const newTermBreaches = (compared: Compared): ColumnBreach[] =>
  columnMeasures(compared.table, compared.key).flatMap((measure) => {
    const { name, emptiesByNature } = measure;
    const isGone = share(compared.before, name) > MOST_HELD_SHARE && share(compared.now, name) === 0;
    const breach = emptied(compared, measure);
    if (breach && !emptiesByNature && isGone && compared.causesOf(name).length > 0) return [breach];
    return formBreach(compared, measure) ?? [];
  });

/** The share of the rows that have a value. */
export const share = ({ rows, columns }: Profile, column: string): number =>
  rows === 0 ? 0 : (columns.get(column)?.filled ?? 0) / rows;

/** The share of the rows that have the given value. */
export const shareOfValue = ({ rows, columns }: Profile, column: string, value: string): number =>
  rows === 0 ? 0 : (columns.get(column)?.values?.get(value) ?? 0) / rows;

/** The share of the written rows that have the declared form. */
export function formShare({ columns }: Profile, column: string): number {
  const { written = 0, formed = 0 } = columns.get(column) ?? {};
  return written === 0 ? 0 : formed / written;
}

function lostOf({ before, now, losses }: Compared, { name }: Measure): Lost {
  const loss = losses?.columns.get(name);
  if (losses && loss) return { of: losses.common, held: loss.held, lost: loss.lost };
  const held = before.columns.get(name)?.filled ?? 0;
  return { of: before.rows, held, lost: Math.max(0, (1 - portion(share(now, name), share(before, name))) * held) };
}

const portion = (now: number, previous: number): number => (previous === 0 ? 1 : now / previous);

function emptied(compared: Compared, measure: Measure): ColumnBreach | undefined {
  const { what, now } = compared;
  const { name, emptiesByNature } = measure;
  const lost = lostOf(compared, measure);
  const left = now.columns.get(name)?.filled ?? 0;
  const causes = compared.causesOf(name);
  const isBeside = isLostBeside(lost, causes);
  const isGone = isEmptied(lost, left === 0);
  if (!isBeside && !isGone) return undefined;
  const amount =
    left === 0
      ? `is empty (${lost.held} before)`
      : `lost ${Math.round(lost.lost)} of ${lost.held} values (${left} of ${now.rows} rows have one)`;
  const text = `\`${name}\` of ${what} ${amount}${causeText(causes)}`;
  return { column: name, text, isSerious: isBeside || !emptiesByNature, isFormBreach: false };
}

function constant({ what, before, now, causesOf }: Compared, measure: Measure): ColumnBreach | undefined {
  const { name, emptiesByNature } = measure;
  const [old, next] = [before.columns.get(name), now.columns.get(name)];
  if (!old || before.rows < VARIED_ROWS || old.distinct < VARIED_VALUES || next?.distinct !== 1) return undefined;
  const causes = causesOf(name);
  const text = `\`${name}\` of ${what} has one value in all rows (${old.distinct} values before)${causeText(causes)}`;
  return { column: name, text, isSerious: !emptiesByNature || causes.length > 0, isFormBreach: false };
}

function vanished({ what, before, now, losses, causesOf }: Compared, measure: Measure): ColumnBreach[] {
  const { name, emptiesByNature, vocabulary } = measure;
  const [old, left] = [before.columns.get(name)?.values, now.columns.get(name)?.values];
  if (!vocabulary || !old) return [];
  const causes = causesOf(name);
  const unexplained = losses?.columns.get(name)?.unexplained;
  return [...old]
    .filter(([value, rows]) => rows >= FEW_ROWS_OF_VALUE && !left?.has(value) && !vocabulary.nothing.includes(value))
    .map(([value, rows]) => {
      const isExplained = emptiesByNature && causes.length === 0 && !isMost(unexplained?.get(value) ?? 0, rows);
      return {
        column: name,
        value,
        text: `\`${name}\` of ${what} no longer has \`${value}\` (in ${rows} rows before)${causeText(causes)}`,
        isSerious: rows >= LEAST_ROWS_OF_VALUE && !isExplained,
        isFormBreach: false,
      };
    });
}

const isMost = (part: number, whole: number): boolean => part > whole * MOST_UNEXPLAINED;

/** No season explains another form, so that such breaches are always serious. */
function formBreach(compared: Compared, { name, form }: Measure): ColumnBreach | undefined {
  if (!form) return undefined;
  const { what, before, now, losses } = compared;
  const loss = losses?.columns.get(name);
  const shares = portion(formShare(now, name), formShare(before, name));
  const { formed = 0 } = before.columns.get(name) ?? {};
  const { written = 0 } = now.columns.get(name) ?? {};
  const lost: Lost =
    losses && loss
      ? { of: losses.common, held: loss.formed, lost: loss.rewritten }
      : { of: before.rows, held: formed, lost: written === 0 ? 0 : Math.max(0, (1 - shares) * formed) };
  const isNoneLeft = now.columns.get(name)?.formed === 0;
  if (!isEmptied(lost, isNoneLeft) && !isLostBeside(lost, compared.causesOf(name))) return undefined;
  const text = `\`${name}\` of ${what} is written differently in ${Math.round(lost.lost)} of ${lost.held} rows${causeText(compared.causesOf(name))}`;
  return { column: name, text, isSerious: true, isFormBreach: true };
}

const causeText = (causes: readonly UnknownField[]): string =>
  causes.length > 0 ? `: ${causes.map(unknownFieldText).join(", ")}` : "";
