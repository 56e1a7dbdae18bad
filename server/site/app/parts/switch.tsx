/** Two or three ways to look at a part; the choice stands in the address. */
import { useAddressState } from "../data/address-state.ts";

interface SwitchProps {
  /** The name of the parameter in the address. */
  readonly name: string;
  readonly label: string;
  /** By value; `""` is the default. */
  readonly choices: Readonly<Record<string, string>>;
}

export function Switch({ name, label, choices }: SwitchProps) {
  const [{ [name]: chosen = "" }, change] = useAddressState();
  const current = chosen in choices ? chosen : "";
  return (
    <span class="switch" role="group" aria-label={label}>
      {Object.entries(choices).map(([value, words]) => (
        <button type="button" class="small" aria-pressed={value === current} onClick={() => change({ [name]: value })}>
          {words}
        </button>
      ))}
    </span>
  );
}
