/** The declaration of an SQL view over the published tables: a statement that derives its rows from theirs. */
import type { z } from "zod";
import type { Table } from "../table.ts";

export interface View<Shape extends z.ZodRawShape = z.ZodRawShape> extends Table<Shape> {
  /** The tables of the contract that it reads. If it has partitions, they are those of the first. */
  readonly tables: readonly string[];
  /**
   * A plain SELECT over them by their names and first column names, so that every engine that supports DuckDB's views
   * runs it, without extensions, as in the browser. A year, quarter or month of its rows is that of the tables' rows.
   */
  readonly select: string;
}

export const VIEWS_FOLDER = "views";

/** The `table` of a view's files in the manifest, which is also their folder. */
export const filesOfView = ({ name }: Pick<View, "name">): string => `${VIEWS_FOLDER}/${name}`;

export const defineView = <Shape extends z.ZodRawShape>(view: View<Shape>): View<Shape> => view;
