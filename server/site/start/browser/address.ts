/** The page's own address says what is shown: a search (`?q=…`), or one thing by kind and id (`#course/…?term=…`). */
import type { Asked } from "./view.ts";

export const KINDS = ["course", "instructor", "department", "section"] as const;
export type Kind = (typeof KINDS)[number];

export interface PageAddress {
  /** What is in the search field. */
  readonly text: string;
  readonly thing?: { readonly kind: Kind; readonly id: string; readonly asked: Asked };
}

export function readAddress({ hash, search }: { hash: string; search: string }): PageAddress {
  const text = new URLSearchParams(search).get("q") ?? "";
  const [, name, id, query] = /^#(\w+)\/([^?]+)(?:\?(.*))?$/.exec(hash) ?? [];
  const kind = KINDS.find((one) => one === name);
  if (kind === undefined || id === undefined) return { text };
  const term = new URLSearchParams(query).get("term") ?? "";
  return { text, thing: { kind, id: decode(id), asked: { term: /^\d{4} \w+$/.test(term) ? term : undefined } } };
}

/** What cannot be decoded stays as it is: the server will say that there is no such thing. */
function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** The chosen term goes into the address, without a new entry in the history. */
export const rememberTerm = (kind: Kind, id: string) => (term: string) =>
  history.replaceState(null, "", `#${kind}/${encodeURIComponent(id)}?term=${encodeURIComponent(term)}`);

/** The statement of `#sql?statement=…`. */
export const sharedStatement = ({ hash }: { hash: string }): string | undefined =>
  new URLSearchParams(/^#sql\?(.*)$/.exec(hash)?.[1]).get("statement") ?? undefined;

export const statementAddress = (statement: string): string => `#sql?statement=${encodeURIComponent(statement)}`;
