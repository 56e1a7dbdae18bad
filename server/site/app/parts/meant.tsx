/** Links to what a text that leads nowhere may have meant. */
import { addressOf, departmentAddress } from "../data/addresses.ts";
import { useJson } from "../data/use-json.ts";
import { type Hit, hitAddress, HitLine } from "./hits.tsx";

const MAX_LENGTH = 200;
const MAX_HITS = "6";

interface MeantProps {
  readonly text: string;
  /** Keeps hits of one kind; of departments those count too that a hit is of. */
  readonly kind?: Hit["kind"];
  /** The message of the API, and where its suggested ids lead: `Did you mean "COMPSCI161"?`. */
  readonly problem?: string | undefined;
  readonly toAddress?: (id: string) => string;
}

const namedIn = (problem: string): string[] =>
  [...(problem.split("Did you mean ")[1] ?? "").matchAll(/"([^"]+)"/g)].map(([, id = ""]) => id);

/** Nothing where nothing is like it. */
export function Meant({ text, kind, problem = "", toAddress }: MeantProps) {
  const { value } = useJson<[readonly Hit[]]>(
    text.trim() === "" ? undefined : [addressOf("/search", { q: text.slice(0, MAX_LENGTH), limit: MAX_HITS })],
  );
  const hits = (value?.[0] ?? []).filter((hit) => kind === undefined || hit.kind === kind);
  const departments = [...new Set((value?.[0] ?? []).map(({ department }) => department))].filter(Boolean);
  const named = toAddress ? namedIn(problem) : [];
  if (named.length === 0 && (kind === "department" ? departments.length === 0 : hits.length === 0)) return null;
  return (
    <>
      <p>Did you mean</p>
      <ul class="results">
        {named.map((id) => (
          <li key={id}>
            <a href={toAddress?.(id) ?? ""}>{id}</a>
          </li>
        ))}
        {kind === "department"
          ? departments.map((department) => (
              <li key={department}>
                <a href={departmentAddress(department)}>{department}</a>
              </li>
            ))
          : hits.map((hit) => (
              <li key={`${hit.kind} ${hit.id}`}>
                <a href={hitAddress(hit)}>
                  <HitLine hit={hit} />
                </a>
              </li>
            ))}
      </ul>
    </>
  );
}
