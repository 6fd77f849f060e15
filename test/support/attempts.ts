/** The audit log, as an admin reads it. */
import assert from 'node:assert/strict';
import { assertRead } from './answers.ts';
import type { Gallery } from './harness.ts';
import { eventually } from './holdings.ts';
import type { Person } from './people.ts';

/** Attempts of an hour are counted together: the next one begins now. */
export function beginHour({ deps, travel }: Gallery): void {
  travel(3600 - (deps.clock() % 3600));
}

interface Entry {
  actor: { id: number | null; username: string };
  action: string;
  outcome: string;
  count: number;
  address: string;
  target: { type: string; id: number; name: string };
  details: Record<string, unknown>;
  create_time: string;
  last_time: string;
}

/** Action, outcome, reason, count. */
export type Told = [string, string, string, number];

export async function readLog(admin: Person, query: string): Promise<Entry[]> {
  return assertRead(await admin.get(`/api/admin/logs?limit=100&${query}`)).list;
}

/** Waits until the log has exactly these of `query`, in any order. */
export function assertLogOf(admin: Person, query: string, expected: Told[]): Promise<void> {
  return eventually(async () => {
    const entries = await readLog(admin, query);
    const found = entries.map(({ action, outcome, details, count }) => [
      action,
      outcome,
      details.reason ?? '',
      count,
    ]);
    assert.deepEqual(found.sort(), [...expected].sort());
  });
}
