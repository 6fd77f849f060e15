/** Marks a gallery that is only being filled by `move` or `restore`: it must not be served yet. */
import type { Kysely } from 'kysely';
import { findSetting, setSetting } from './settings.ts';
import type { Tables } from './tables.ts';

export const unfinishedSetting = 'unfinished';
/** Replaces the mark at the end: the same command, run again, says that it has finished already. */
export const arrivedSetting = 'arrived';

/** What fills the gallery: the storage's id of the gallery that moves, or the archive's id. */
export interface Unfinished {
  work: 'move' | 'restore';
  from: string;
}

export async function findUnfinished(kysely: Kysely<Tables>): Promise<Unfinished | undefined> {
  const value = await findSetting({ kysely }, unfinishedSetting);
  return value === undefined ? undefined : (JSON.parse(value) as Unfinished);
}

export function markUnfinished(kysely: Kysely<Tables>, unfinished: Unfinished): Promise<void> {
  return setSetting({ kysely }, unfinishedSetting, JSON.stringify(unfinished));
}

export async function markFinished(kysely: Kysely<Tables>): Promise<void> {
  await kysely
    .updateTable('settings')
    .set({ name: arrivedSetting })
    .where('name', '=', unfinishedSetting)
    .execute();
}
