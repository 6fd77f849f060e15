/** `lightwell user list`: a table, one line an account. */
import { UserStatus } from '../../../platform/db/states.ts';
import type { UserRow } from '../../../platform/db/tables.ts';
import { timeText } from '../../../platform/http/time.ts';
import { withDeps } from '../run.ts';

const columns: Record<string, (user: UserRow) => string> = {
  ID: (user) => String(user.id),
  USERNAME: (user) => user.username,
  EMAIL: (user) => user.email,
  ROLE: (user) => (user.is_admin ? 'admin' : 'user'),
  STATUS: (user) => (user.status ? 'normal' : 'disabled'),
  'CREATED (UTC)': (user) => timeText(user.create_time),
};

export function listUsers(): Promise<void> {
  return withDeps(async ({ db }) => {
    const users = await db.kysely
      .selectFrom('users')
      .selectAll()
      .where('status', '>=', UserStatus.disabled)
      .orderBy('id')
      .execute();
    const rows = [
      Object.keys(columns),
      ...users.map((user) => Object.values(columns).map((show) => show(user))),
    ];
    console.log(aligned(rows).join('\n'));
  });
}

function aligned(rows: string[][]): string[] {
  const widths = rows[0]!.map((_, column) =>
    rows.reduce((max, row) => Math.max(max, row[column]!.length), 0),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
