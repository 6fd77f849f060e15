/** Figures that must hold for a gallery and its ledger after any trouble. */
import { errorsIn } from '../log.ts';
import { createInfoFigure, type Figure, none } from '../part.ts';
import type { Faults } from './faults.ts';
import type { Ledger } from './ledger.ts';

/** Returns the figures. `log` is the servers' output, if known. */
export function createLoadFigures(ledger: Ledger, faults: Faults, log = ''): Figure[] {
  const acknowledged = Object.entries(ledger.acknowledged).map(([what, count]) => `${count} ${what}`);
  return [
    createInfoFigure('acknowledged', acknowledged.sort().join(', ')),
    none('acknowledged photos, comments, albums and bytes of uploads that are lost', faults.lost),
    none('changes that are not as acknowledged', faults.changed),
    none('things that nobody asked for, or that were gone', faults.appeared),
    none('images that are not whole, originals with other bytes', faults.bytes),
    none('counters that do not count', faults.counts),
    none('findings of check', faults.findings),
    none('answers of 5xx, or that openapi.json does not promise', ledger.wrong),
    // A response with 500 does not give its reason, so the log's errors are shown.
    ...(ledger.wrong.length > 0 && log
      ? [createInfoFigure('errors in the log', errorsIn(log, 2000).join('; '))]
      : []),
  ];
}
