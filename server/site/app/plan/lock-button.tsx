/** Locks a chosen section, so that a search for schedules keeps it. */

interface LockButtonProps {
  /** `COMPSCI 161 Lec A (34130)`. */
  readonly name: string;
  readonly isLocked: boolean;
  readonly onPress: () => void;
}

export const LockButton = ({ name, isLocked, onPress }: LockButtonProps) => (
  <button
    type="button"
    class="small lock"
    aria-pressed={isLocked}
    aria-label={`Lock ${name}`}
    title="Find schedules keeps locked sections"
    onClick={onPress}
  >
    {isLocked ? "Locked" : "Lock"}
  </button>
);
