/** A view of one thing, such as a course: what it is asked for, and how it comes. */
import type { ComponentChild } from "preact";

/** What the address says beside the thing itself. */
export interface Asked {
  readonly term: string | undefined;
  /** A section's code, to be marked. */
  readonly section?: string;
}

export interface ViewRequest {
  readonly id: string;
  readonly asked: Asked;
  /** Writes the chosen term into the address. */
  readonly remember?: ((term: string) => void) | undefined;
  readonly signal: AbortSignal;
}

/** Fetches all that is shown first, so that the page changes once. @throws Error whose message can be shown */
export type View = (request: ViewRequest) => Promise<ComponentChild>;
