/** The result of a statement: as a table, as bars or as a line, and as a file. */
import { lazy } from "preact-iso";
import { useMemo, useState } from "preact/hooks";
import { useAddressState } from "../data/address-state.ts";
import { errorMessage } from "../data/fetch-json.ts";
import { count, plural } from "../format.ts";
import { SortableTable, type SortableColumn, type SortValue } from "../parts/sortable-table.tsx";
import { type ResultColumn, type ShownRows, shownText, toCsv, valueText } from "./sql-values.ts";

const MAX_ROWS = 500;
export type Drawing = "table" | "bars" | "line";
const DRAWINGS: readonly (readonly [Drawing, string])[] = [
  ["table", "Table"],
  ["bars", "Bars"],
  ["line", "Line"],
];

const SqlChart = lazy(() => import("./sql-chart.tsx").then((m) => m.SqlChart));

const sortValue = (value: unknown, column: ResultColumn): SortValue => {
  if (value === null) return undefined;
  if (typeof value === "number" || typeof value === "bigint") return value;
  return valueText(value, column);
};

const toSortable = (column: ResultColumn, i: number): SortableColumn<number> => ({
  id: String(i + 1),
  head: column.name,
  value: (row) => sortValue(column.at(row), column),
  cell: (row) => {
    const value = column.at(row);
    if (value === null) return <span class="quiet">null</span>;
    const text = shownText(value, column);
    // The plan of EXPLAIN is drawn with characters.
    return text.includes("\n") ? <pre>{text}</pre> : text;
  },
  isNumber: column.isNumber,
});

interface SqlResultProps {
  readonly result: ShownRows;
  /** How long the statement ran; undefined for a result of the server. */
  readonly ms: number | undefined;
  /** Undefined where no database has the result. */
  readonly toParquet: (() => Promise<Uint8Array>) | undefined;
}

export function SqlResult({ result, ms, toParquet }: SqlResultProps) {
  const [{ as = "table", sort = "", x = "", y = "" }, change] = useAddressState();
  const { columns } = result;
  const rows = useMemo(() => Array.from({ length: result.rows }, (_, row) => row), [result]);
  const drawn = pickColumns(columns, x, y);
  const shown = rows.length > MAX_ROWS ? `, the first ${count(MAX_ROWS)} shown` : "";
  const time = ms === undefined ? "" : `, ${Math.round(ms)} ms`;
  const caption = `${plural(rows.length, "row")}${shown}${time}`;
  return (
    <section class="result" aria-label="Result">
      <div class="row">
        {drawn &&
          DRAWINGS.map(([name, words]) => (
            <button
              type="button"
              class="small"
              aria-pressed={as === name}
              onClick={() => change({ as: name === "table" ? undefined : name })}
            >
              {words}
            </button>
          ))}
        <Exports toCsv={() => toCsv(result)} toParquet={toParquet} />
      </div>
      {as === "table" || !drawn ? (
        <SortableTable
          caption={caption}
          columns={columns.map(toSortable)}
          rows={rows}
          sort={sort}
          onSort={(next) => change({ sort: next })}
          limit={MAX_ROWS}
          hasRowHeaders={false}
        />
      ) : (
        <>
          <div class="choices">
            <ColumnChoice label="Across" columns={columns} chosen={drawn.x} onChoose={(name) => change({ x: name })} />
            <ColumnChoice
              label="Value"
              columns={columns.filter(({ isNumber }) => isNumber)}
              chosen={drawn.y}
              onChoose={(name) => change({ y: name })}
            />
          </div>
          <SqlChart {...drawn} kind={as === "line" ? "line" : "bars"} rows={rows.length} />
        </>
      )}
    </section>
  );
}

/**
 * Chooses the columns to draw: by name, else the first column over the first other one with numbers. Undefined when
 * there are no numbers.
 */
function pickColumns(columns: readonly ResultColumn[], xName: string, yName: string) {
  const x = columns.find(({ name }) => name === xName) ?? columns[0];
  const numbers = columns.filter(({ isNumber }) => isNumber);
  const y = numbers.find(({ name }) => name === yName) ?? numbers.find((column) => column !== x);
  return x && y && { x, y };
}

interface ColumnChoiceProps {
  readonly label: string;
  readonly columns: readonly ResultColumn[];
  readonly chosen: ResultColumn;
  readonly onChoose: (name: string) => void;
}

const ColumnChoice = ({ label, columns, chosen, onChoose }: ColumnChoiceProps) => (
  <label>
    {label}{" "}
    <select value={chosen.name} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {columns.map(({ name }) => (
        <option value={name}>{name}</option>
      ))}
    </select>
  </label>
);

function download(name: string, type: string, content: string | Uint8Array): void {
  const address = URL.createObjectURL(new Blob([content as BlobPart], { type }));
  const link = document.createElement("a");
  [link.href, link.download] = [address, name];
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

interface ExportsProps extends Pick<SqlResultProps, "toParquet"> {
  readonly toCsv: () => string;
}

function Exports({ toCsv: csv, toParquet }: ExportsProps) {
  const [problem, setProblem] = useState("");
  const saveParquet = () =>
    toParquet?.().then(
      (bytes) => download("result.parquet", "application/vnd.apache.parquet", bytes),
      (error: unknown) => setProblem(errorMessage(error)),
    );
  return (
    <span class="exports">
      <button type="button" class="small" onClick={() => download("result.csv", "text/csv", csv())}>
        Save CSV
      </button>
      {toParquet && (
        <button type="button" class="small" onClick={saveParquet}>
          Save Parquet
        </button>
      )}
      {problem !== "" && <span role="alert">{problem}</span>}
    </span>
  );
}
