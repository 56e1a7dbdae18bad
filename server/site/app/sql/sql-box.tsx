/** A statement, the files it reads, and its result. */
import type { TargetedKeyboardEvent, TargetedSubmitEvent } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { useAddressState } from "../data/address-state.ts";
import { useTerm } from "../data/terms.ts";
import type { BulkManifest } from "../../../../pipeline/contract/documents/bulk-manifest.ts";
import type { FirstResult } from "./first-statement.ts";
import { resourceAddress } from "../data/addresses.ts";
import { errorMessage, fetchJson, fetchShared } from "../data/fetch-json.ts";
import { Skeleton } from "../parts/loaded.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { SqlResult } from "./sql-result.tsx";
import { Engine, type Plan } from "./sql-engine.ts";
import { sqlExamples } from "./sql-examples.ts";
import { isAboutTables, oneLine, statementProblem, trimStatement, withDescriptions } from "./reading-statement.ts";
import { planStatement, viewsIn } from "./sql-plan.ts";
import { duckdbScript, scripts } from "./sql-script.ts";
import { fromJson, fromTable, type ShownRows } from "./sql-values.ts";
import { MANIFEST } from "./table-list.tsx";
import { plural, size } from "../format.ts";

/** Larger downloads need a second click. */
const CONFIRM_BYTES = 6e6;

interface Ran {
  readonly result: ShownRows;
  readonly ms?: number;
  readonly toParquet?: () => Promise<Uint8Array>;
  /** The statement as a program for other tools. */
  readonly script: string;
}

interface BoxState {
  readonly statement: string;
  readonly status: string;
  /** Set while a statement runs. */
  readonly progress: { readonly done: number; readonly all: number } | undefined;
  readonly ran: Ran | undefined;
  readonly problem: string | undefined;
  /** Bytes that wait for the second click. */
  readonly pendingBytes: number | undefined;
  /** True until the result of the first example is there. */
  readonly isFirstLoading: boolean;
}

const formatPlan = (plan: Plan) =>
  plan
    .map(
      ({ name, files, bytes, rows }) =>
        `${name} (${plural(files.length, "file")}, ${size(bytes)}, ${plural(rows, "row")})`,
    )
    .join(", ");

/** The result of the first example, from the server: the database is loaded when the reader runs a statement. */
async function loadFirst(): Promise<Ran> {
  const [first, manifest] = await Promise.all([
    fetchJson<FirstResult>(resourceAddress("/sql")),
    fetchShared<BulkManifest>(MANIFEST),
  ]);
  const plan = planStatement(first.statement, manifest);
  return { result: fromJson(first), script: duckdbScript(first.statement, plan, []) };
}

/**
 * `files` is the URL of the folder with DuckDB's files. The address holds the statement; without one the result of the
 * first example is shown.
 */
export function SqlBox({ files }: { files: string }) {
  const [{ q }, change] = useAddressState();
  const examples = sqlExamples(useTerm());
  const [engine] = useState(() => new Engine(files));
  const [box, update] = useReducer((state: BoxState, part: Partial<BoxState>) => ({ ...state, ...part }), {
    statement: q ?? examples[0]?.statement ?? "",
    status: "",
    progress: undefined,
    ran: undefined,
    problem: undefined,
    pendingBytes: undefined,
    isFirstLoading: q === undefined,
  });
  const running = useRef<AbortController>(undefined);
  useEffect(() => {
    const show = (ran?: Ran) => update({ isFirstLoading: false, ...(running.current === undefined ? { ran } : {}) });
    // Without the first result, the reader can still run the statement.
    if (q === undefined) loadFirst().then(show, () => show());
    return () => engine.close();
  }, []);
  const write = (statement: string) => update({ statement, pendingBytes: undefined });
  const isRunning = box.progress !== undefined;

  async function execute(signal: AbortSignal): Promise<Partial<BoxState>> {
    const text = trimStatement(box.statement);
    const problem = statementProblem(text);
    if (problem !== undefined) return { problem };
    const report = (status: string, done: number, all: number) => {
      if (!signal.aborted) update({ status, progress: { done, all } });
    };
    const manifest = await fetchJson<BulkManifest>(MANIFEST);
    const views = viewsIn(text, manifest);
    const names = [...Object.keys(manifest.tables), ...(manifest.views ?? []).map(({ name }) => name)];
    const statement = withDescriptions(text, names);
    await engine.check(statement, manifest, report);
    let plan = isAboutTables(text) ? [] : planStatement(text, manifest);
    const bytes = plan.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes > CONFIRM_BYTES && box.pendingBytes === undefined && !engine.has(plan))
      return {
        pendingBytes: bytes,
        status: `This reads ${formatPlan(plan)}. A condition such as year = '2026' and quarter = 'Fall' reads less. Run it again to load everything.`,
      };
    if (text !== q) change({ q: text, sort: undefined, x: undefined, y: undefined });
    const run = () => engine.run(statement, plan, views, report, signal);
    const { table, ms } = await run().catch((error: unknown) => {
      // The statement uses a column without naming it: retry with all columns.
      if (!errorMessage(error).includes("Binder Error")) throw error;
      plan = planStatement(text, manifest, true);
      return run();
    });
    const ran = {
      ...{ result: fromTable(table), ms, script: duckdbScript(text, plan, views) },
      toParquet: () => engine.toParquet(statement, plan.length > 0),
    };
    return { ran, status: plan.length > 0 ? `Read ${formatPlan(plan)}.` : "" };
  }

  async function start(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    update({ progress: { done: 0, all: 1 }, ran: undefined, problem: undefined, pendingBytes: undefined });
    const cancelled = new Promise<Partial<BoxState>>((resolve) =>
      controller.signal.addEventListener("abort", () => resolve({ status: "Cancelled." })),
    );
    const ended = execute(controller.signal).catch((error: unknown) => ({
      status: "",
      problem: oneLine(errorMessage(error), trimStatement(box.statement)),
    }));
    const outcome = await Promise.race([ended, cancelled]);
    if (running.current === controller) update({ ...outcome, progress: undefined });
  }

  function submit(event: TargetedSubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!isRunning) void start();
  }

  function cancel(): void {
    running.current?.abort();
    engine.close();
  }

  const submitByKey = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
  };

  return (
    <div>
      <form onSubmit={submit}>
        <label for="statement">Statement</label>
        <textarea
          id="statement"
          rows={7}
          spellcheck={false}
          autocapitalize="off"
          aria-describedby="sqlHelp"
          value={box.statement}
          onInput={({ currentTarget }) => write(currentTarget.value)}
          onKeyDown={submitByKey}
        />
        <div class="row">
          <button type="submit" disabled={isRunning}>
            {box.pendingBytes === undefined ? "Run" : `Load ${size(box.pendingBytes)} and run`}
          </button>
          {isRunning && (
            <button type="button" class="small" onClick={cancel}>
              Cancel
            </button>
          )}
          <span id="sqlHelp" class="quiet">
            Ctrl + Enter runs it in your browser, with DuckDB. Only the files it needs are downloaded.
          </span>
        </div>
        <div class="row" role="group" aria-label="Examples">
          {examples.map(({ name, statement, as }) => (
            <button
              type="button"
              class="small"
              onClick={(event) => {
                write(statement);
                change({ as, x: undefined, y: undefined, sort: undefined });
                event.currentTarget.form?.querySelector("textarea")?.focus();
              }}
            >
              {name}
            </button>
          ))}
        </div>
      </form>
      <p class="quiet" role="status">
        {box.status}
      </p>
      <progress hidden={!isRunning} max={box.progress?.all || 1} value={box.progress?.done ?? 0} aria-label="Loading" />
      {box.problem !== undefined && (
        <p class="problem" role="alert">
          {box.problem}
        </p>
      )}
      {box.isFirstLoading && !isRunning && <Skeleton lines={10} />}
      {box.ran && <Result {...box.ran} />}
    </div>
  );
}

const Result = ({ result, ms, toParquet, script }: Ran) => (
  <>
    <SqlResult result={result} ms={ms} toParquet={toParquet} />
    <details>
      <summary>Run it elsewhere</summary>
      {scripts(script).map(([name, text]) => (
        <div class="example">
          <h2>{name}</h2>
          <pre tabIndex={0} role="group" aria-label={`Program for ${name}`}>
            <code>{text}</code>
          </pre>
          <CopyButton text={text} name={`the program for ${name}`} />
        </div>
      ))}
    </details>
  </>
);
