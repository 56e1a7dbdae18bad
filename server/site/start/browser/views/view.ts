/** A view of one entity, such as a course. */
import type { ComponentChild } from "preact";

export interface ViewRequest {
  readonly id: string;
  readonly term: string | undefined;
  /** The code of the highlighted section. */
  readonly section?: string;
  readonly onTermChange?: ((term: string) => void) | undefined;
  readonly signal: AbortSignal;
}

/** Fetches everything before rendering, so that the page changes once. @throws Error whose message can be shown */
export type View = (request: ViewRequest) => Promise<ComponentChild>;
