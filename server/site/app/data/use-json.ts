/** JSON of this server as the state of a component. */
import { useEffect, useState } from "preact/hooks";
import { errorMessage, fetchJson, fetchShared, ResponseError } from "./fetch-json.ts";

export interface Loading<T> {
  /** While the next one is loaded, the one before it. */
  readonly value: T | undefined;
  readonly problem: string | undefined;
  /** The status of the response, if the server responded with a problem. */
  readonly status?: number | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * Loads a value anew for each key; nothing is loaded while the key is undefined. The first attempt may share a running
 * request; later ones do not.
 */
export function useLoading<T>(key: string | undefined, load: (isFirst: boolean) => Promise<T>): Loading<T> {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{
    key?: string | undefined;
    value?: T;
    problem?: string;
    status?: number | undefined;
  }>({});
  useEffect(() => {
    if (key === undefined) return undefined;
    let isCurrent = true;
    load(attempt === 0).then(
      (value) => isCurrent && setState({ key, value }),
      (error: unknown) => {
        const status = error instanceof ResponseError ? error.status : undefined;
        if (isCurrent) setState({ key, problem: errorMessage(error), status });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [key, attempt]);
  return {
    value: state.value,
    problem: state.key === key ? state.problem : undefined,
    status: state.key === key ? state.status : undefined,
    isLoading: key !== undefined && state.key !== key,
    reload: () => setAttempt((last) => last + 1),
  };
}

/** Loads the JSON of several addresses, in order; requests nothing while they are undefined. */
export const useJson = <T extends readonly unknown[]>(addresses: readonly string[] | undefined): Loading<T> =>
  useLoading(addresses?.join("\n"), async (isFirst) => {
    const values = await Promise.all(
      (addresses ?? []).map((address) => (isFirst ? fetchShared : fetchJson)<unknown>(address)),
    );
    return values as unknown as T;
  });
