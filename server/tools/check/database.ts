/** What the database says about itself. */
import type { Round } from './findings.ts';

export async function checkDatabase({ deps, isFast, progress, report }: Round): Promise<void> {
  progress.begin('the database');
  for (const detail of await deps.db.findDamage(isFast)) {
    await report({ kind: 'database-damaged', subject: 'database', detail });
  }
}
