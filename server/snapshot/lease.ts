/** Leases keep a snapshot from being disposed. */

export interface SnapshotLease {
  /** Idempotent. */
  release(): void;
}

/** Takes a further lease, for a body that outlives the promise of `withSnapshot`. */
export type AcquireLease = () => SnapshotLease;

/** `released` is called once, after the lease is no longer counted. */
export function takeLease(counted: { leases: number }, released: () => void): SnapshotLease {
  let isReleased = false;
  counted.leases++;
  return {
    release() {
      if (isReleased) return;
      isReleased = true;
      counted.leases--;
      released();
    },
  };
}
