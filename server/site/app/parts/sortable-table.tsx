/**
 * A table, or cards on a narrow screen, sorted by the column whose head is pressed. Rows without a value come last; a
 * column without values does not sort.
 */
import type { ComponentChildren } from "preact";

export type SortValue = string | number | bigint | undefined;

export interface SortableColumn<Row> {
  /** Stands in the address: `average`, or `-average` for the highest first. */
  readonly id: string;
  readonly head: string;
  readonly value?: (row: Row) => SortValue;
  /** The shown content; by default the value. */
  readonly cell?: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
}

const text = new Intl.Collator("en", { numeric: true });

function compare(a: SortValue, b: SortValue): number {
  if (typeof a === "string" && typeof b === "string") return text.compare(a, b);
  if (a === b || a === undefined || b === undefined) return 0;
  return a < b ? -1 : 1;
}

/** In a new order. `sort`: a column's id, with a minus for the highest first; an unknown one leaves the order. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly SortableColumn<Row>[],
  sort: string,
): readonly Row[] {
  const column = columns.find(({ id }) => id === sort.replace(/^-/, ""));
  if (!column?.value) return rows;
  const sign = sort.startsWith("-") ? -1 : 1;
  const valueOf = column.value;
  const valued = rows.map((row) => [valueOf(row), row] as const);
  return valued
    .sort(([a], [b]) => Number(a === undefined) - Number(b === undefined) || sign * compare(a, b))
    .map(([, row]) => row);
}

/** The first press of a number's head shows the highest first. */
function nextSort<Row>({ id, isNumber }: SortableColumn<Row>, sort: string): string {
  const [first, second] = isNumber ? [`-${id}`, id] : [id, `-${id}`];
  return sort === first ? second : first;
}

interface SortableTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly SortableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  /** At most so many rows are shown. */
  readonly limit?: number;
  /** False if the first column is not a row header. */
  readonly hasRowHeaders?: boolean;
}

export function SortableTable<Row>(props: SortableTableProps<Row>) {
  const { caption, columns, rows, sort, onSort, limit, hasRowHeaders = true } = props;
  const orderOf = ({ id }: SortableColumn<Row>) =>
    sort === id ? "ascending" : sort === `-${id}` ? "descending" : undefined;
  const classOf = ({ isNumber }: SortableColumn<Row>) => (isNumber ? "number" : undefined);
  const shown = (column: SortableColumn<Row>, row: Row) => column.cell?.(row) ?? column.value?.(row)?.toString() ?? "–";
  return (
    <div class="scroll" role="group" aria-label={caption} tabIndex={0}>
      <table role="table" class="sortable">
        <caption>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th role="columnheader" scope="col" class={classOf(column)} aria-sort={orderOf(column)}>
                {column.value ? (
                  <button type="button" onClick={() => onSort(nextSort(column, sort))}>
                    {column.head}
                  </button>
                ) : (
                  column.head
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {sortRows(rows, columns, sort)
            .slice(0, limit)
            .map((row) => (
              <tr role="row">
                {columns.map((column, i) =>
                  hasRowHeaders && i === 0 ? (
                    <th role="rowheader" scope="row">
                      {shown(column, row)}
                    </th>
                  ) : (
                    <td role="cell" class={classOf(column)} data-label={column.head}>
                      {shown(column, row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
