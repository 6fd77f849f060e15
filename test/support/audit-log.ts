/** Reads the audit log like an admin. */
import assert from 'node:assert/strict';
import { assertRead } from './assert-answers.ts';
import { eventually } from './gallery-counts.ts';
import type { Gallery } from './harness.ts';
import type { Person } from './people.ts';

/** Moves the clock to the next hour, because the log counts the attempts of one hour together. */
export function startNextHour({ deps, travel }: Gallery): void {
  travel(3600 - (deps.clock() % 3600));
}

interface AuditLogEntry {
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

/** An entry of the log: action, outcome, reason, count. */
export type LoggedAttempt = [string, string, string, number];

export async function readAuditLog(admin: Person, query: string): Promise<AuditLogEntry[]> {
  return assertRead(await admin.get(`/api/admin/logs?limit=100&${query}`)).list;
}

/** Waits until the log has exactly the expected entries for `query`, in any order. */
export function assertAuditLog(admin: Person, query: string, expected: LoggedAttempt[]): Promise<void> {
  return eventually(async () => {
    const entries = await readAuditLog(admin, query);
    const found = entries.map(({ action, outcome, details, count }) => [
      action,
      outcome,
      details.reason ?? '',
      count,
    ]);
    assert.deepEqual(found.sort(), [...expected].sort());
  });
}
