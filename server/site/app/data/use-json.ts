/** JSON of this server as the state of a component. */
import { useEffect, useState } from "preact/hooks";
import { errorMessage, fetchJson, fetchShared } from "./fetch-json.ts";

export interface Loading<T> {
  /** While the next one is loaded, the one before it. */
  readonly value: T | undefined;
  readonly problem: string | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Of several addresses in their order; nothing is requested while it is undefined. */
export function useJson<T extends readonly unknown[]>(addresses: readonly string[] | undefined): Loading<T> {
  const key = addresses?.join("\n");
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{ key?: string | undefined; value?: T; problem?: string }>({});
  useEffect(() => {
    if (!addresses) return undefined;
    let isCurrent = true;
    // A request that already runs may have the data of before.
    const load = attempt === 0 ? fetchShared : fetchJson;
    Promise.all(addresses.map((address) => load<unknown>(address))).then(
      (values) => isCurrent && setState({ key, value: values as unknown as T }),
      (error: unknown) => isCurrent && setState({ key, problem: errorMessage(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, attempt]);
  return {
    value: state.value,
    problem: state.key === key ? state.problem : undefined,
    isLoading: key !== undefined && state.key !== key,
    reload: () => setAttempt((last) => last + 1),
  };
}
