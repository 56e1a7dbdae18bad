/** Leases keep a snapshot from being disposed. */

export interface SnapshotLease {
  /** Ends the lease; idempotent. */
  release(): void;
}

/** Takes another lease, for a body that outlives the promise of `withSnapshot`. */
export type AcquireLease = () => SnapshotLease;

/** Takes a lease. Calls `released` once, after the lease is no longer counted. */
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
