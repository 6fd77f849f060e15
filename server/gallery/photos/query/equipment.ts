/**
 * Names of cameras and lenses, stored once with their folded form. The search fields `camera:` and `lens:` search these
 * names.
 */
import { foldSearchText } from '../../../platform/db/fold.ts';
import type { Transaction } from '../../../platform/db/tables.ts';

/** Stores the camera and lens of a new photo. Empty names mean that the file has no such metadata. */
export async function rememberEquipment(transaction: Transaction, names: string[]): Promise<void> {
  const known = [...new Set(names)].filter((name) => name !== '').sort();
  if (known.length === 0) return;
  await transaction
    .insertInto('equipment_names')
    .values(known.map((name) => ({ name, name_key: foldSearchText(name) })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}
