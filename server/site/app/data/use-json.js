/** JSON of this server as the state of a component. */
import { useEffect, useState } from "preact/hooks";
import { errorMessage, fetchShared } from "./fetch-json.ts";
/** Of several addresses in their order; nothing is requested while it is undefined. */
export function useJson(addresses) {
  const key = addresses?.join("\n");
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState({});
  useEffect(() => {
    if (!addresses) return undefined;
    let isCurrent = true;
    Promise.all(addresses.map((address) => fetchShared(address))).then(
      (values) => isCurrent && setState({ key, value: values }),
      (error) => isCurrent && setState({ key, problem: errorMessage(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, attempt]);
  return {
    value: state.value,
    problem: state.key === key ? state.problem : undefined,
    isLoading: key !== undefined && state.key !== key,
    reload: () => setAttempt(attempt + 1),
  };
}
