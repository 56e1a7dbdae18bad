/** Statements of the server itself. They are trusted, so that they run in this process. */
import { readAsOf, tableFiles } from "../../../pipeline/store/published.ts";
import { unavailable } from "../../response/problem.ts";
import { answerStatement, openStatementShell } from "./answer-statement.ts";

/** Seconds after which a client may try again. */
const RETRY_AFTER = 10;

/** The returned function throws Problem (503) when a statement cannot be run on a snapshot. */
export const createStatementRows =
  (artifactsDir: string) =>
  async (snapshot: string, statement: string): Promise<readonly object[]> => {
    const opening = readAsOf(artifactsDir, snapshot, new Date()).then(tableFiles).then(openStatementShell);
    const answer = await answerStatement(opening, statement);
    if (answer && "rows" in answer) return answer.rows;
    throw unavailable(RETRY_AFTER, "The result is not available. Please try again in a few seconds.");
  };
