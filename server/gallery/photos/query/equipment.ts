/** The names of cameras and lenses, folded once for all photos that name them: what `camera:` and `lens:` look through. */
import { fold } from '../../../platform/db/fold.ts';
import type { Transaction } from '../../../platform/db/tables.ts';

/** Of a photo that is being added; '' where its file does not say. */
export async function rememberEquipment(transaction: Transaction, names: string[]): Promise<void> {
  const known = [...new Set(names)].filter((name) => name !== '').sort();
  if (known.length === 0) return;
  await transaction
    .insertInto('equipment_names')
    .values(known.map((name) => ({ name, name_key: fold(name) })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}
