/** The prompt of `make sql`: statements over several lines, with completion and a history in a file of the user. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { TABLE_LIST } from "../../publish/sql/described-views.ts";
import { readFormat, type SqlFormat } from "../../publish/sql/sql-output.ts";
import type { SqlShell } from "../../publish/sql/sql-shell.ts";
import { onOneLine, splitStatements } from "../../publish/sql/statement-text.ts";
import type { Environment } from "../../settings/settings.ts";

const HELP = `A statement may have several lines and ends with ;
.tables          the tables and views
.format <name>   table, csv, json or line
.quit            ends, as Ctrl-D does
Tab completes names; Ctrl-C abandons a line or ends a statement that runs.
describe <table>; lists its columns.
`;
const COMMANDS = [".format", ".help", ".quit", ".tables"];
const BEFORE_TABLE = /\b(?:from|join|table|describe|summarize|pivot|unpivot)\s+\w*$/i;
const [FIRST, FURTHER] = ["sql> ", "...> "];

type Run = (sql: string, format: SqlFormat) => Promise<void>;

/** Prompts on a terminal until Ctrl-D or `.quit`. Errors are printed. */
export async function promptSql(shell: SqlShell, run: Run, format: SqlFormat, env: Environment): Promise<void> {
  const file = historyFile(env);
  const names = await shell.names();
  const history = readHistory(file);
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout.isTTY ? process.stdout : process.stderr,
    terminal: true,
    history: [...history],
    prompt: FIRST,
    completer: (line: string) => complete(names, line),
  });
  // The history consists of whole statements.
  let shown: string[] = [];
  const restore = () => void shown.splice(0, shown.length, ...history);
  lines.on("history", (entries) => {
    shown = entries;
    restore();
  });
  let [begun, runs, as] = ["", false, format];
  lines.on("SIGINT", () => {
    if (runs) return shell.interrupt();
    begun = "";
    abandonLine(lines);
    lines.setPrompt(FIRST);
    lines.prompt();
  });
  const attempt = async (action: () => Promise<void>) => {
    runs = true;
    await action().catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    });
    runs = false;
  };
  process.stdout.write("Statements end with ;   .help lists the commands.\n");
  lines.prompt();
  for await (const line of lines) {
    const [command = "", argument = ""] = line.trim().split(/\s+/);
    if (begun === "" && command.startsWith(".")) {
      if (command === ".quit") break;
      if (command === ".tables") await attempt(() => run(TABLE_LIST, "table"));
      else if (command === ".format") await attempt(async () => void (as = readFormat(argument)));
      else process.stdout.write(HELP);
    } else {
      const { statements, rest } = splitStatements(`${begun}${line}\n`);
      for (const sql of statements) {
        remember(file, history, onOneLine(`${sql};`));
        restore();
        await attempt(() => run(sql, as));
      }
      begun = rest;
    }
    lines.setPrompt(begun === "" ? FIRST : FURTHER);
    lines.prompt();
  }
  lines.close();
  process.stdout.write("\n");
}

/** Abandons the input, which stays on the screen. */
function abandonLine(lines: Interface): void {
  lines.write(null, { ctrl: true, name: "e" });
  process.stdout.write("^C\n");
  // Let the up arrow begin with the newest statement again.
  Object.assign(lines, { line: "", cursor: 0, historyIndex: -1 });
}

type Names = Awaited<ReturnType<SqlShell["names"]>>;

/** Names that begin like the last word of the line, in any case; keywords in capitals if the word is in capitals. */
function complete({ tables, columns, keywords }: Names, line: string): [string[], string] {
  const [begun = ""] = /^\.\w*$|\w*$/.exec(line) ?? [];
  const isUpper = /^[A-Z]+$/.test(begun);
  const names = BEFORE_TABLE.test(line)
    ? tables
    : [...COMMANDS, ...tables, ...columns, ...keywords.map((word) => (isUpper ? word.toUpperCase() : word))];
  const matches = names.filter((name) => begun !== "" && name.toLowerCase().startsWith(begun.toLowerCase()));
  return [[...new Set(matches)], begun];
}

const MOST = 1000;
const PRIVATE = { mode: 0o600 };

/** The statements of earlier prompts, one per line. The XDG Base Directory Specification says to ignore a relative path. */
function historyFile({ XDG_STATE_HOME: state = "" }: Environment): string {
  return join(state.startsWith("/") ? state : join(homedir(), ".local/state"), "academic-data/sql-history");
}

/** Returns the newest first; empty when there are none, or they cannot be read. */
function readHistory(file: string): string[] {
  try {
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    if (lines.length > 2 * MOST) writeFileSync(file, `${lines.slice(-MOST).join("\n")}\n`, PRIVATE);
    return lines.slice(-MOST).toReversed();
  } catch {
    return [];
  }
}

/** Adds a statement to the history and its file; a failure to write is ignored. */
function remember(file: string, history: string[], statement: string | undefined): void {
  if (statement === undefined || statement === history[0]) return;
  history.unshift(statement);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    appendFileSync(file, `${statement}\n`, PRIVATE);
  } catch {
    // The history then lasts as long as the prompt.
  }
}
