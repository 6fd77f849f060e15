/** Creates galleries with a wrong database for their photos, and keeps the right database aside. */
import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Deps } from '../../../server/deps.ts';
import { checkGallery } from '../../../server/tools/check/check.ts';
import { type MaintenanceCounts, runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { orphanGraceSeconds } from '../../../server/tools/maintenance/orphans.ts';
import type { GalleryLocation } from '../../../server/tools/transfer/gallery-location.ts';
import { silentProgress } from '../../../server/tools/transfer/progress.ts';
import { assertDone, assertWritten } from '../../support/assert-answers.ts';
import { listReferencedObjects, listStoredObjects } from '../../support/gallery-counts.ts';
import type { Gallery } from '../../support/harness.ts';
import { addPhoto, logIn, type Person, register, registerAdmin } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { command, loseDatabase, saveDatabase } from './databases.ts';
import { type MakeHome, type Scope, serve } from './gallery-locations.ts';

export interface WrongDatabase {
  /** The gallery location with the photos and the wrong database. */
  home: GalleryLocation;
  /** Objects that the right database names. All these objects are stored. */
  named: string[];
  /** Restores the right database permanently. */
  right(): Promise<GalleryLocation>;
  /** Clients of accounts that exist in both databases with the same names and ids. */
  admin: Person;
  owner: Person;
  /** Photos of the owner: public, edited once, and in the trash, according to the right database. */
  photos: { shown: number; edited: number; trashed: number };
}

export type MakeWrongDatabase = (scope: Scope, makeHome: MakeHome) => Promise<WrongDatabase>;

/** Yesterday's database: since then a photo was added, and another was restored from the trash. */
export const olderDatabase: MakeWrongDatabase = async (scope, makeHome) => {
  const home = await makeHome(scope, { isMigrated: true });
  const { people, photos } = await fillGallery(home);
  const bringBack = await saveDatabase(scope, home);
  const gallery = await serve(home);
  const owner = await logIn(gallery, people.owner);
  assertDone(await owner.post(`/api/photos/${photos.trashed}/restore`));
  await addPhoto(owner);
  const named = await sweepAndName(gallery);
  await gallery.close();
  const right = await saveDatabase(scope, home);
  return { home: await bringBack(), named, right, ...people, photos };
};

/** The database of another gallery, which has adopted the photos. */
export const adoptedDatabase: MakeWrongDatabase = async (scope, makeHome) => {
  const home = await makeHome(scope, { isMigrated: true });
  const { people, photos, named } = await fillGallery(home);
  const right = await saveDatabase(scope, home);
  const other = await makeHome(scope, { isMigrated: true });
  await fillGallery(other);
  const wrong = await switchDatabase(other, home, scope);
  const { code, err } = await command(wrong, ['adopt', '--yes']);
  assert.equal(code, 0, err);
  return { home: wrong, named, right, ...people, photos };
};

/** A database restored as far as accounts and settings, still without photos. */
export const databaseWithoutPhotos: MakeWrongDatabase = async (scope, makeHome) => {
  const home = await makeHome(scope, { isMigrated: true });
  const { people, photos, named } = await fillGallery(home);
  const right = await saveDatabase(scope, home);
  const gallery = await serve(home);
  await gallery.deps.db.kysely.deleteFrom('photos').execute();
  await gallery.close();
  return { home, named, right, ...people, photos };
};

/** A database restored as far as photos and settings, still without accounts. */
export const databaseWithoutAccounts: MakeWrongDatabase = async (scope, makeHome) => {
  const home = await makeHome(scope, { isMigrated: true });
  const { people, photos, named } = await fillGallery(home);
  const right = await saveDatabase(scope, home);
  await empty(home, 'users');
  return { home, named, right, ...people, photos };
};

/** Creates two accounts, three photos, an edit and an avatar. Returns the objects that the database names. */
export async function fillGallery(home: GalleryLocation) {
  const gallery = await serve(home);
  const [admin, owner] = [await registerAdmin(gallery, 'admin'), await register(gallery, 'owner')];
  const [shown, edited, trashed] = [await addPhoto(owner), await addPhoto(owner), await addPhoto(owner)];
  await rotate(owner, edited.id);
  assertDone(await owner.delete(`/api/photos/${trashed.id}`));
  await setAvatar(owner);
  const named = await sweepAndName(gallery);
  await gallery.close();
  const photos = { shown: shown.id, edited: edited.id, trashed: trashed.id };
  return { people: { admin, owner }, photos, named };
}

export async function rotate(owner: Person, id: number): Promise<void> {
  assertWritten(await owner.post(`/api/photos/${id}/edit`, { action: 'rotate', params: { angle: 90 } }));
}

export async function setAvatar(owner: Person): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await createJpeg())]), 'me.jpg');
  assertWritten(await owner.send('POST', '/api/auth/avatar', { body: form }));
}

export function sweepAll({ deps }: Pick<Gallery, 'deps'>): Promise<MaintenanceCounts> {
  return runMaintenance(deps, { graceSeconds: orphanGraceSeconds });
}

async function sweepAndName(gallery: Gallery): Promise<string[]> {
  await sweepAll(gallery);
  const named = await listNamedObjects(gallery.deps);
  assertStored(await listStoredObjects(gallery.deps), named);
  return named;
}

export async function listNamedObjects(deps: Deps): Promise<string[]> {
  const owners = await deps.db.kysely
    .selectFrom('users')
    .select('avatar')
    .where('avatar', '!=', '')
    .execute();
  return [...(await listReferencedObjects(deps)), ...owners.map(({ avatar }) => avatar)].sort();
}

/** Asserts that all named objects are stored. Other objects may exist, too. */
export function assertStored(stored: string[], named: string[]): void {
  const present = new Set(stored);
  assert.deepEqual(
    named.filter((name) => !present.has(name)),
    [],
    'they are lost',
  );
}

/** Runs a server at the location while `work` runs. */
export async function whileServed(
  home: GalleryLocation,
  work: (gallery: Gallery) => Promise<void>,
): Promise<void> {
  const gallery = await serve(home);
  await work(gallery).finally(() => gallery.close());
}

/**
 * Asserts that with the right database nothing is missing, neither at once nor after its maintenance runs.
 */
export async function assertNothingLost({
  named,
  right,
}: Pick<WrongDatabase, 'named' | 'right'>): Promise<void> {
  await whileServed(await right(), async (gallery) => {
    assert.deepEqual(await listNamedObjects(gallery.deps), named);
    assertStored(await listStoredObjects(gallery.deps), named);
    gallery.travel(2 * 86_400);
    await sweepAll(gallery);
    assertStored(await listStoredObjects(gallery.deps), named);
    const { found } = await checkGallery(gallery.deps, {
      isFast: true,
      isRepair: false,
      jobs: 2,
      progress: silentProgress,
      onFinding() {},
    });
    assert.deepEqual(
      Object.keys(found).filter((kind) => kind.endsWith('-missing')),
      [],
    );
  });
}

/** Returns the photos of one location with the database of the other. */
async function switchDatabase(
  other: GalleryLocation,
  home: GalleryLocation,
  scope: Scope,
): Promise<GalleryLocation> {
  if (other.databaseUrl) return { ...home, databaseUrl: other.databaseUrl };
  await loseDatabase(scope, home);
  await copyFile(join(other.dataDir, 'lightwell.db'), join(home.dataDir, 'lightwell.db'));
  return home;
}

/** Empties a table without cascading, like a restore that has not reached the table yet. */
async function empty({ dataDir, databaseUrl }: GalleryLocation, table: string): Promise<void> {
  if (databaseUrl) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client
      .query(`SET session_replication_role = replica; DELETE FROM ${table}`)
      .finally(() => client.end());
    return;
  }
  const database = new DatabaseSync(join(dataDir, 'lightwell.db'), { enableForeignKeyConstraints: false });
  database.exec(`DELETE FROM ${table}`);
  database.close();
}
