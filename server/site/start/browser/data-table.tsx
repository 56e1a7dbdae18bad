/** A plain table with a caption; columns of numbers stand to the right. */
import type { ComponentChildren } from "preact";

interface DataTableProps {
  readonly caption: string;
  /** The caption is there for screen readers only, where a heading says the same. */
  readonly hidesCaption?: boolean;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  readonly isNumber: (column: number) => boolean;
  /** False where no column names the rows. */
  readonly namesRows?: boolean;
}

export function DataTable({ caption, hidesCaption, heads, rows, isNumber, namesRows = true }: DataTableProps) {
  const look = (column: number) => (isNumber(column) ? "number" : undefined);
  return (
    <table>
      <caption class={hidesCaption ? "hidden" : undefined}>{caption}</caption>
      <thead>
        <tr>
          {heads.map((head, i) => (
            <th scope="col" class={look(i)}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell, i) =>
              namesRows && i === 0 ? <th scope="row">{cell}</th> : <td class={look(i)}>{cell}</td>,
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
