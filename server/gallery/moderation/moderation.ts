/** What follows when an admin deletes something: the reports about it are handled, and it is written down. */
import type { Deps } from '../../deps.ts';
import type { ReportsTable, Transaction } from '../../platform/db/tables.ts';
import type { Viewer } from '../accounts/viewer.ts';
import { type Act, audit, usernameOf } from './audit.ts';
import { closeReports } from './report-close.ts';

interface Deletion {
  action: Act['action'];
  target: Act['target'] & { type: ReportsTable['target_type'] };
  /** Whose the thing was; an admin's own is worth an entry only where it had been reported. */
  isOwn: boolean;
}

/** Does nothing for other users than admins: users who delete what is theirs close no report about it. */
export async function noteDeletion(
  deps: Pick<Deps, 'db' | 'clock'>,
  transaction: Transaction,
  viewer: Viewer,
  { action, target, isOwn }: Deletion,
): Promise<void> {
  if (!viewer.isAdmin) return;
  const handler = await usernameOf(transaction, viewer);
  const about = { type: target.type, ids: [target.id] };
  const closed = await closeReports(deps, transaction, about, { action: 'delete', note: '', handler });
  if (isOwn && closed.length === 0) return;
  const details = closed.length > 0 ? { reports: closed.length } : {};
  await audit(deps, transaction, viewer, { action, target, details });
}
