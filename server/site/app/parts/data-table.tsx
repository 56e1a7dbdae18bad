/** A table with a caption, in a box that scrolls sideways; numeric columns are right-aligned. */
import type { ComponentChildren } from "preact";

interface DataTableProps {
  readonly caption: string;
  readonly hidesCaption?: boolean;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  readonly isNumber: (column: number) => boolean;
  /** False if the first column is not a row header. */
  readonly hasRowHeaders?: boolean;
}

export function DataTable({ caption, hidesCaption, headers, rows, isNumber, hasRowHeaders = true }: DataTableProps) {
  const classOf = (column: number) => (isNumber(column) ? "number" : undefined);
  return (
    <div class="scroll" role="group" aria-label={caption} tabIndex={0}>
      <table>
        <caption class={hidesCaption ? "hidden" : undefined}>{caption}</caption>
        <thead>
          <tr>
            {headers.map((head, i) => (
              <th scope="col" class={classOf(i)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map((cell, i) =>
                hasRowHeaders && i === 0 ? <th scope="row">{cell}</th> : <td class={classOf(i)}>{cell}</td>,
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
