/**
 * A part of a view that loads: a skeleton, then the content, or an error that says what to do. A failed part leaves the
 * others alone.
 */
import type { ComponentChildren } from "preact";
import { type Loading, useJson } from "../data/use-json.ts";

interface LoadedProps<T extends readonly unknown[]> {
  readonly addresses: readonly string[] | undefined;
  /** The height of the skeleton in lines of text. */
  readonly lines?: number;
  readonly children: (...values: T) => ComponentChildren;
}

export function Loaded<T extends readonly unknown[]>({ addresses, lines, children }: LoadedProps<T>) {
  return <LoadingPart loading={useJson<T>(addresses)} lines={lines} of={(values) => children(...values)} />;
}

/** A wrong request, and a missing resource: trying again gives the same. */
const IN_VAIN: ReadonlySet<number> = new Set([400, 404]);

interface LoadingPartProps<T> {
  readonly loading: Loading<T>;
  readonly lines?: number | undefined;
  readonly of: (value: T) => ComponentChildren;
}

export function LoadingPart<T>({ loading, lines = 3, of }: LoadingPartProps<T>) {
  const { value, problem, status, isLoading, reload } = loading;
  if (problem !== undefined)
    return (
      <p class="problem" role="alert">
        {problem}
        {!(status !== undefined && IN_VAIN.has(status)) && (
          <>
            {" "}
            <button type="button" class="small" onClick={reload}>
              Try again
            </button>
          </>
        )}
      </p>
    );
  if (value === undefined) return <Skeleton lines={lines} />;
  return <div aria-busy={isLoading}>{of(value)}</div>;
}

/** Shown after 150 ms, by its style. */
export const Skeleton = ({ lines }: { lines: number }) => (
  <div class="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: lines }, () => (
      <span />
    ))}
  </div>
);
