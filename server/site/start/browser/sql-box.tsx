/** The SQL box: a statement, what it will read, the answer. */
import type { TargetedKeyboardEvent, TargetedSubmitEvent } from "preact";
import { useEffect, useReducer, useRef, useState } from "preact/hooks";
import { statementAddress } from "./address.ts";
import { messageOf } from "./ask.ts";
import { SqlAnswer } from "./sql-answer.tsx";
import { type Answered, createEngine, type Plan } from "./sql-engine.ts";
import { sqlExamples } from "./sql-examples.ts";
import { planStatement } from "./sql-plan.ts";
import { fetchManifest, TableList } from "./table-list.tsx";
import { plural, size } from "./words.ts";

/** More than this is read only after a second click. */
const MUCH_BYTES = 6e6;

interface BoxState {
  readonly statement: string;
  /** What is under way, or what was read. */
  readonly says: string;
  /** How much of it is done, while a statement runs. */
  readonly progress: { readonly done: number; readonly all: number } | undefined;
  readonly result: Answered | { readonly problem: string } | undefined;
  /** What the statement would load, once that was found to be much. */
  readonly much: number | undefined;
}

const planWords = (plan: Plan) =>
  plan
    .map(
      ({ name, files, bytes, rows }) =>
        `${name} (${plural(files.length, "file")}, ${size(bytes)}, ${plural(rows, "row")})`,
    )
    .join(", ");

/** `files`: where DuckDB's own files are; `shared`: the address's statement. */
export function SqlBox({ shared, files }: { shared: string | undefined; files: string }) {
  const examples = sqlExamples();
  const [engine] = useState(() => createEngine(files));
  const [box, update] = useReducer((before: BoxState, change: Partial<BoxState>) => ({ ...before, ...change }), {
    statement: shared ?? examples[0]?.statement ?? "",
    says: "",
    progress: undefined,
    result: undefined,
    much: undefined,
  });
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (shared !== undefined) field.current?.closest("section")?.scrollIntoView();
  }, []);
  const write = (statement: string) => update({ statement, much: undefined });
  const isRunning = box.progress !== undefined;

  async function execute(): Promise<Partial<BoxState>> {
    const text = box.statement.trim().replace(/;\s*$/, "");
    if (text === "") return {};
    const manifest = await fetchManifest();
    let plan = planStatement(text, manifest);
    const bytes = plan.reduce((sum, one) => sum + one.bytes, 0);
    if (bytes > MUCH_BYTES && box.much === undefined && !engine.has(plan))
      return {
        much: bytes,
        says: `This reads ${planWords(plan)}. A condition such as year = '2026' and quarter = 'Fall' makes it less. Press Run again to load it all.`,
      };
    history.replaceState(null, "", statementAddress(text));
    const run = () => engine.run(text, plan, (says, done, all) => update({ says, progress: { done, all } }));
    const result = await run().catch((error: unknown) => {
      // A column that the statement does not spell out: once more, with all of them.
      if (!messageOf(error).includes("Binder Error")) throw error;
      plan = planStatement(text, manifest, true);
      return run();
    });
    return { result, says: plan.length > 0 ? `Read ${planWords(plan)}.` : "" };
  }

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isRunning) return;
    update({ progress: { done: 0, all: 1 }, result: undefined, much: undefined });
    const change = await execute().catch((error: unknown) => ({ says: "", result: { problem: messageOf(error) } }));
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
            {box.much === undefined ? "Run" : `Load ${size(box.much)} and run`}
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
        {box.says}
      </p>
      <progress hidden={!isRunning} max={box.progress?.all || 1} value={box.progress?.done ?? 0} aria-label="Loading" />
      {box.result &&
        ("problem" in box.result ? (
          <pre class="problem" role="alert">
            {box.result.problem}
          </pre>
        ) : (
          <SqlAnswer {...box.result} />
        ))}
      <TableList />
    </>
  );
}
