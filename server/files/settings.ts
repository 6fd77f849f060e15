/** What is decided once and kept with the data. */
import type { Database } from '../db/index.ts';

/** The value kept under this name; `proposal` becomes it when there is none. Of two processes one wins. */
export async function keepSetting({ kysely }: Database, name: string, proposal: string): Promise<string> {
  const find = () =>
    kysely.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  const kept = await find();
  if (kept) return kept.value;
  await kysely
    .insertInto('settings')
    .values({ name, value: proposal })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await find())!.value;
}
