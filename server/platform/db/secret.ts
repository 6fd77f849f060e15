/** The secret that signs image paths and share accesses, where no `SECRET` is set. */
import { randomBytes } from 'node:crypto';
import type { Database } from './index.ts';
import { keepSetting } from './settings.ts';

const secretBytes = 32;

/** 256 random bits, hex: made at the first start, the same for every process on this database. */
export function readSecret(db: Database): Promise<string> {
  return keepSetting(db, 'secret', randomBytes(secretBytes).toString('hex'));
}
