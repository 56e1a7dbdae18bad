/** A statement, the files it reads, and its result. */
import type { TargetedKeyboardEvent, TargetedSubmitEvent } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { useAddressState } from "../data/address-state.ts";
import { useTerm } from "../data/terms.ts";
import { errorMessage } from "../data/fetch-json.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { SqlResult } from "./sql-result.tsx";
import { type QueryResult, Engine, type Plan } from "./sql-engine.ts";
import { sqlExamples } from "./sql-examples.ts";
import { isAboutTables, oneLine, statementProblem, trimStatement, withDescriptions } from "./reading-statement.ts";
import { planStatement, viewsIn } from "./sql-plan.ts";
import { duckdbScript, scripts } from "./sql-script.ts";
import { fetchManifest } from "./table-list.tsx";
import { plural, size } from "../format.ts";

/** Larger downloads need a second click. */
const CONFIRM_BYTES = 6e6;

interface Ran {
  readonly result: QueryResult;
  readonly statement: string;
  readonly readsRows: boolean;
  /** The same elsewhere. */
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
}

const formatPlan = (plan: Plan) =>
  plan
    .map(
      ({ name, files, bytes, rows }) =>
        `${name} (${plural(files.length, "file")}, ${size(bytes)}, ${plural(rows, "row")})`,
    )
    .join(", ");

const savesData = () => matchMedia("(prefers-reduced-data: reduce)").matches;

/**
 * `files` are the URLs of DuckDB's files. The address holds the statement; without one the first example runs, so that
 * there is a result to begin with.
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
  });
  const running = useRef<AbortController>(undefined);
  /** The one that nobody asked for. */
  const unasked = useRef<AbortController>(undefined);
  useEffect(() => {
    if (q === undefined && !savesData()) void start(false);
    return () => engine.close();
  }, []);
  const write = (statement: string) => update({ statement, pendingBytes: undefined });
  const isRunning = box.progress !== undefined;

  async function execute(signal: AbortSignal, isAsked: boolean): Promise<Partial<BoxState>> {
    const text = trimStatement(box.statement);
    const problem = statementProblem(text);
    if (problem !== undefined) return { problem };
    const report = (status: string, done: number, all: number) => {
      if (!signal.aborted) update({ status, progress: { done, all } });
    };
    const manifest = await fetchManifest();
    const views = viewsIn(text, manifest);
    const names = [...Object.keys(manifest.tables), ...(manifest.views ?? []).map(({ name }) => name)];
    const statement = withDescriptions(text, names);
    await engine.check(statement, manifest, report);
    let plan = isAboutTables(text) ? [] : planStatement(text, manifest);
    const bytes = plan.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes > CONFIRM_BYTES && box.pendingBytes === undefined && !engine.has(plan))
      return {
        pendingBytes: bytes,
        status: `This reads ${formatPlan(plan)}. A condition such as year = '2026' and quarter = 'Fall' makes it less. Press Run again to load it all.`,
      };
    if (isAsked && text !== q) change({ q: text, sort: undefined, x: undefined, y: undefined });
    const run = () => engine.run(statement, plan, views, report, signal);
    const result = await run().catch((error: unknown) => {
      // The statement uses a column without naming it: retry with all columns.
      if (!errorMessage(error).includes("Binder Error")) throw error;
      plan = planStatement(text, manifest, true);
      return run();
    });
    const ran = { result, statement, readsRows: plan.length > 0, script: duckdbScript(text, plan, views) };
    return { ran, status: plan.length > 0 ? `Read ${formatPlan(plan)}.` : "" };
  }

  /** @param isAsked true if the reader ran the statement, which then stands in the address */
  async function start(isAsked: boolean): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    unasked.current = isAsked ? undefined : controller;
    update({ progress: { done: 0, all: 1 }, ran: undefined, problem: undefined, pendingBytes: undefined });
    const cancelled = new Promise<Partial<BoxState>>((resolve) =>
      controller.signal.addEventListener("abort", () => resolve({ status: "Cancelled." })),
    );
    const ended = execute(controller.signal, isAsked).catch((error: unknown) => ({
      status: "",
      problem: oneLine(errorMessage(error), trimStatement(box.statement)),
    }));
    const outcome = await Promise.race([ended, cancelled]);
    if (running.current === controller) update({ ...outcome, progress: undefined });
  }

  function submit(event: TargetedSubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isRunning && running.current !== unasked.current) return;
    if (isRunning) cancel();
    void start(true);
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
          rows={8}
          spellcheck={false}
          autocapitalize="off"
          aria-describedby="sqlHelp"
          value={box.statement}
          onInput={({ currentTarget }) => write(currentTarget.value)}
          onKeyDown={submitByKey}
        />
        <div class="row">
          <button type="submit" disabled={isRunning && running.current !== unasked.current}>
            {box.pendingBytes === undefined ? "Run" : `Load ${size(box.pendingBytes)} and run`}
          </button>
          {isRunning && (
            <button type="button" class="small" onClick={cancel}>
              Cancel
            </button>
          )}
          <span id="sqlHelp" class="quiet">
            Ctrl + Enter runs it here, in DuckDB. Only the files that it needs are fetched.
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
      {box.ran && <Result ran={box.ran} engine={engine} />}
    </div>
  );
}

const Result = ({ ran: { result, statement, readsRows, script }, engine }: { ran: Ran; engine: Engine }) => (
  <>
    <SqlResult result={result} toParquet={() => engine.toParquet(statement, readsRows)} />
    <details>
      <summary>The same elsewhere</summary>
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
