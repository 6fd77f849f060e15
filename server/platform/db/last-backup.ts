/** The time of the last backup, which the metrics show. */

import type { OpenedDatabase } from './dialect.ts';
import { findSetting, setSetting } from './settings.ts';

const lastBackupSetting = 'last backup';

/** Records a complete backup that began at `time`, in Unix seconds. */
export function recordBackup(db: Pick<OpenedDatabase, 'kysely'>, time: number): Promise<void> {
  return setSetting(db, lastBackupSetting, String(time));
}

export async function findLastBackup(db: Pick<OpenedDatabase, 'kysely'>): Promise<number | undefined> {
  const value = await findSetting(db, lastBackupSetting);
  return value === undefined ? undefined : Number(value);
}
