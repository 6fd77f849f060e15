/** Differences between a gallery and its ledger, one line each. */
export interface Faults {
  lost: string[];
  changed: string[];
  /** Things that nobody requested, or that were deleted before. */
  appeared: string[];
  bytes: string[];
  counts: string[];
  /** Faults that `lightwell check` found. */
  findings: string[];
}

export function noFaults(): Faults {
  return { lost: [], changed: [], appeared: [], bytes: [], counts: [], findings: [] };
}
