/** The differences between a gallery and its ledger, one line each. */
export interface Faults {
  lost: string[];
  changed: string[];
  /** Nobody asked for it, or it was deleted before. */
  appeared: string[];
  bytes: string[];
  counts: string[];
  /** Findings of `lightwell check`. */
  findings: string[];
}

export function noFaults(): Faults {
  return { lost: [], changed: [], appeared: [], bytes: [], counts: [], findings: [] };
}
