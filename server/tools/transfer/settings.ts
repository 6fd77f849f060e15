/** Rows of `settings` that belong to a place: they are neither carried nor compared. */
import type { Value } from '../../platform/db/table.ts';
import { arrivedSetting, unfinishedSetting } from '../../platform/db/unfinished.ts';
import { brakeSetting } from '../../platform/ownership/brake.ts';
import { storageSetting } from '../../platform/ownership/claim.ts';
import { holdPrefix } from '../../platform/ownership/holds.ts';
import { stampSetting } from '../../platform/ownership/stamp.ts';

/** Takes and gives rows of `settings`, columns in alphabetical order: name, value. */
export function carriedSettings(rows: Value[][]): Value[][] {
  return rows.filter(([name]) => !isOfPlace(String(name)));
}

const ofPlace = [storageSetting, unfinishedSetting, arrivedSetting, stampSetting, brakeSetting];

function isOfPlace(name: string): boolean {
  return ofPlace.includes(name) || name.startsWith(holdPrefix);
}
