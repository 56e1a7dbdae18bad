/** The SQL box: a statement, the files it reads, the result. */
import type { TargetedKeyboardEvent, TargetedSubmitEvent } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { useTerm } from "../data/terms.ts";
import { viewAddress } from "../data/addresses.ts";
import { errorMessage } from "../data/fetch-json.ts";
import { SqlResult } from "./sql-result.tsx";
import { type QueryResult, createEngine, type Plan } from "./sql-engine.ts";
import { sqlExamples } from "./sql-examples.ts";
import { planStatement, viewsIn } from "./sql-plan.ts";
import { fetchManifest, TableList } from "./table-list.tsx";
import { plural, size } from "../format.ts";

/** Larger downloads need a second click. */
const CONFIRM_BYTES = 6e6;

interface BoxState {
  readonly statement: string;
  readonly status: string;
  /** Set while a statement runs. */
  readonly progress: { readonly done: number; readonly all: number } | undefined;
  readonly result: QueryResult | { readonly problem: string } | undefined;
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

/** `files`: URL of DuckDB's files; `shared`: the statement in the URL. */
export function SqlBox({ shared, files }: { shared: string | undefined; files: string }) {
  const examples = sqlExamples(useTerm());
  const [engine] = useState(() => createEngine(files));
  const [box, update] = useReducer((state: BoxState, change: Partial<BoxState>) => ({ ...state, ...change }), {
    statement: shared ?? examples[0]?.statement ?? "",
    status: "",
    progress: undefined,
    result: undefined,
    pendingBytes: undefined,
  });
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (shared !== undefined) field.current?.closest("section")?.scrollIntoView();
  }, []);
  const write = (statement: string) => update({ statement, pendingBytes: undefined });
  const isRunning = box.progress !== undefined;

  async function execute(): Promise<Partial<BoxState>> {
    const text = box.statement.trim().replace(/;\s*$/, "");
    if (text === "") return {};
    const manifest = await fetchManifest();
    let plan = planStatement(text, manifest);
    const bytes = plan.reduce((sum, one) => sum + one.bytes, 0);
    if (bytes > CONFIRM_BYTES && box.pendingBytes === undefined && !engine.has(plan))
      return {
        pendingBytes: bytes,
        status: `This reads ${formatPlan(plan)}. A condition such as year = '2026' and quarter = 'Fall' makes it less. Press Run again to load it all.`,
      };
    history.replaceState(null, "", viewAddress("/sql", { q: text }));
    const run = () =>
      engine.run(text, plan, viewsIn(text, manifest), (status, done, all) =>
        update({ status, progress: { done, all } }),
      );
    const result = await run().catch((error: unknown) => {
      // The statement uses a column without naming it: retry with all columns.
      if (!errorMessage(error).includes("Binder Error")) throw error;
      plan = planStatement(text, manifest, true);
      return run();
    });
    return { result, status: plan.length > 0 ? `Read ${formatPlan(plan)}.` : "" };
  }

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isRunning) return;
    update({ progress: { done: 0, all: 1 }, result: undefined, pendingBytes: undefined });
    const change = await execute().catch((error: unknown) => ({
      status: "",
      result: { problem: errorMessage(error) },
    }));
    update({ ...change, progress: undefined });
  }

  const submitByKey = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
  };

  return (
    <>
      <form onSubmit={submit}>
        <label for="statement">Statement</label>
        <textarea
          id="statement"
          ref={field}
          rows={6}
          spellcheck={false}
          autocapitalize="off"
          aria-describedby="sqlHelp"
          value={box.statement}
          onInput={({ currentTarget }) => write(currentTarget.value)}
          onKeyDown={submitByKey}
        />
        <p id="sqlHelp" class="quiet">
          Ctrl + Enter runs it. Only the files of the tables, years and quarters that it names are fetched.
        </p>
        <div class="row">
          <button type="submit" disabled={isRunning}>
            {box.pendingBytes === undefined ? "Run" : `Load ${size(box.pendingBytes)} and run`}
          </button>
          {examples.map(({ name, statement }) => (
            <button
              type="button"
              class="small"
              onClick={() => {
                write(statement);
                field.current?.focus();
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
      {box.result &&
        ("problem" in box.result ? (
          <pre class="problem" role="alert">
            {box.result.problem}
          </pre>
        ) : (
          <SqlResult {...box.result} />
        ))}
      <TableList />
    </>
  );
}
