/** A part of a view that loads: a skeleton, the content, or a sentence that says what to do. One part that fails leaves the others alone. */
import type { ComponentChildren } from "preact";
import { type Loading, useJson } from "../data/use-json.ts";

interface LoadedProps<T extends readonly unknown[]> {
  readonly addresses: readonly string[] | undefined;
  /** Of the skeleton, in lines of text. */
  readonly lines?: number;
  readonly children: (...values: T) => ComponentChildren;
}

export function Loaded<T extends readonly unknown[]>({ addresses, lines, children }: LoadedProps<T>) {
  return <LoadingPart loading={useJson<T>(addresses)} lines={lines} of={(values) => children(...values)} />;
}

/** What is asked for is wrong, or is not there: asking again gives the same. */
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
