/** Rows of `settings` that belong to a place: they are neither carried nor compared. */
import type { Value } from '../db/bulk.ts';
import { brakeSetting } from '../files/brake.ts';
import { storageSetting } from '../files/claim.ts';
import { holdPrefix } from '../files/holds.ts';
import { stampSetting } from '../files/stamp.ts';
import { arrivedSetting, unfinishedSetting } from '../files/unfinished.ts';

/** Takes and gives rows of `settings`, columns in alphabetical order: name, value. */
export function carriedSettings(rows: Value[][]): Value[][] {
  return rows.filter(([name]) => !isOfPlace(String(name)));
}

const ofPlace = [storageSetting, unfinishedSetting, arrivedSetting, stampSetting, brakeSetting];

function isOfPlace(name: string): boolean {
  return ofPlace.includes(name) || name.startsWith(holdPrefix);
}
