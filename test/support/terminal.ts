/** A person's view of a program: a pseudo terminal, and a screen that shows its output. */
import { spawn } from "node:child_process";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Starts a command in a pseudo terminal. */
export function openTerminal(command: string, env: Readonly<Record<string, string>>, { columns, rows }: Size) {
  const inside = `stty cols ${columns} rows ${rows} && exec ${command}`;
  const child = spawn("script", ["--quiet", "--return", "--command", inside, "/dev/null"], {
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", TERM: "xterm-256color", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const parts: Buffer[] = [];
  const written = () => Buffer.concat(parts).toString();
  let [seen, look] = [0, () => {}];
  child.stdout.on("data", (part: Buffer) => {
    parts.push(part);
    look();
  });
  const ended = new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  return {
    /** Types characters, such as `\u0003` for Ctrl-C. */
    type: (text: string) => void child.stdin.write(text),
    /** Resolves with what was written up to a match, since the last one. */
    says: (form: RegExp) =>
      new Promise<string>((resolve, reject) => {
        look = () => {
          const text = written().slice(seen);
          const match = form.exec(text);
          if (!match) return;
          look = () => {};
          const end = match.index + match[0].length;
          seen += end;
          resolve(text.slice(0, end));
        };
        look();
        void ended.then(() => reject(new Error(`it ended without saying ${form.source}: ${written().slice(seen)}`)));
      }),
    written,
    ended,
  };
}

/** Runs a command in a pseudo terminal and gives every character that it wrote. */
export async function runInTerminal(
  command: string,
  env: Readonly<Record<string, string>>,
  size: Size,
): Promise<{ code: number | null; written: string }> {
  const { ended, written } = openTerminal(command, env, size);
  const code = await ended;
  return { code, written: written() };
}

/** A control sequence, or one character. */
const TOKEN = new RegExp(String.raw`\u{1b}\[(\??)([\d;]*)([A-Za-z])|\u{1b}([78])|[^]`, "gu");

/**
 * Shows `written` on a screen; `onLine` gets the line at the cursor after every token. Returns all lines, including
 * those scrolled away.
 */
export function showOnScreen(written: string, { columns, rows }: Size, onLine: (line: string) => void): string[] {
  const lines: string[][] = [[]];
  let [row, column, top, wraps] = [0, 0, 0, true];
  let saved = { row: 0, column: 0 };
  const down = () => {
    row++;
    lines[row] ??= [];
    top = Math.max(top, row - rows + 1);
  };
  const put = (character: string) => {
    if (column >= columns && wraps) {
      down();
      column = 0;
    }
    const line = lines[row] as string[];
    while (line.length < column) line.push(" ");
    line[Math.min(column, columns - 1)] = character;
    column = Math.min(column + 1, columns);
  };
  const control = (isPrivate: boolean, values: string, letter: string) => {
    const first = Number(values.split(";")[0] ?? "0");
    const line = lines[row] as string[];
    if (isPrivate) wraps = first === 7 ? letter === "h" : wraps;
    else if (letter === "K" && first === 0) line.length = Math.min(line.length, column);
    else if (letter === "K" && first === 2) line.length = 0;
    else if (letter === "G") column = Math.max(1, first) - 1;
    else throw new Error(`the screen does not know the control sequence ${values}${letter}`);
  };
  for (const [token, isPrivate, values, letter, cursor] of written.matchAll(TOKEN)) {
    // A terminal remembers the place on the screen, not the line that stood there.
    if (cursor === "7") saved = { row: row - top, column };
    else if (cursor === "8") [row, column] = [top + saved.row, saved.column];
    else if (letter !== undefined) control(isPrivate === "?", values ?? "", letter);
    else if (token === "\r") column = 0;
    else if (token === "\n") down();
    else put(token);
    onLine((lines[row] as string[]).join(""));
  }
  return lines.map((line) => line.join("").trimEnd());
}
