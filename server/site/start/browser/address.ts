/** The page's URL decides the view: a search (`?q=…`), or one entity by kind and id (`#course/…?term=…`). */
export const KINDS = ["course", "instructor", "department", "section"] as const;
export type Kind = (typeof KINDS)[number];

export interface PageAddress {
  readonly text: string;
  readonly entity?: { readonly kind: Kind; readonly id: string; readonly term: string | undefined };
}

export function readAddress({ hash, search }: { hash: string; search: string }): PageAddress {
  const text = new URLSearchParams(search).get("q") ?? "";
  const [, name, id, query] = /^#(\w+)\/([^?]+)(?:\?(.*))?$/.exec(hash) ?? [];
  const kind = KINDS.find((one) => one === name);
  if (kind === undefined || id === undefined) return { text };
  const term = new URLSearchParams(query).get("term") ?? "";
  return { text, entity: { kind, id: decode(id), term: /^\d{4} \w+$/.test(term) ? term : undefined } };
}

/** An id that cannot be decoded stays as it is; the server responds with 404. */
function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Replaces the history entry: choosing a term adds none. */
export const rememberTerm = (kind: Kind, id: string) => (term: string) =>
  history.replaceState(null, "", `#${kind}/${encodeURIComponent(id)}?term=${encodeURIComponent(term)}`);

export const sharedStatement = ({ hash }: { hash: string }): string | undefined =>
  new URLSearchParams(/^#sql\?(.*)$/.exec(hash)?.[1]).get("statement") ?? undefined;

export const statementAddress = (statement: string): string => `#sql?statement=${encodeURIComponent(statement)}`;
