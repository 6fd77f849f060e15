/** Rows of `settings`: what is decided once, or noted, and kept with the data. */
import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** A database, or a transaction in it. */
interface Place {
  kysely: Kysely<Tables>;
}

export async function findSetting({ kysely }: Place, name: string): Promise<string | undefined> {
  const row = await kysely.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

export async function setSetting({ kysely }: Place, name: string, value: string): Promise<void> {
  await kysely
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** The value kept under this name; `proposal` becomes it when there is none. Of two processes one wins. */
export async function keepSetting(place: Place, name: string, proposal: string): Promise<string> {
  const kept = await findSetting(place, name);
  if (kept !== undefined) return kept;
  await place.kysely
    .insertInto('settings')
    .values({ name, value: proposal })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await findSetting(place, name))!;
}
