import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listImageObjectNames } from '../../../server/gallery/delivery/objects.ts';
import { startSession } from '../../../server/gallery/identity/sessions.ts';
import { createObjectKey, objectName } from '../../../server/platform/storage/keys.ts';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { orphanGraceSeconds } from '../../../server/tools/maintenance/orphans.ts';
import { addPhoto, addUser, addVersion, makeGallery } from '../../gallery/delivery/gallery.ts';
import type { Gallery } from '../../support/harness.ts';

const nothing = {
  accounts: 0,
  attempts: 0,
  purged: 0,
  versions: 0,
  sessions: 0,
  deliveries: 0,
  notifications: 0,
  shares: 0,
  uploads: 0,
  links: 0,
  mails: 0,
  objects: 0,
  orphans: 0,
  temporary: 0,
};
const day = 86_400;

async function isStored({ deps }: Gallery, names: string[]): Promise<boolean[]> {
  return Promise.all(names.map(async (name) => (await deps.storage.stat(name)) !== undefined));
}

test('a maintenance run removes nothing that is in use', async (context) => {
  const gallery = await makeGallery(context);
  const { deps } = gallery;
  const owner = await addUser(gallery, 'owner');
  const photo = await addPhoto(gallery, owner.id, 2);
  const trashed = await addPhoto(gallery, owner.id, 0);
  await deps.db.kysely
    .updateTable('photos')
    .set({ delete_time: deps.clock() })
    .where('id', '=', trashed.id)
    .execute();
  const avatar = objectName(createObjectKey(), 'avatar', 'webp');
  await deps.storage.put([{ name: avatar, source: Buffer.from('face') }]);
  await deps.db.kysely.updateTable('users').set({ avatar }).execute();
  await deps.db.kysely.deleteFrom('sessions').execute();

  gallery.travel(29 * day);
  assert.deepEqual(await runMaintenance(deps, { graceSeconds: orphanGraceSeconds }), nothing);
  const names = [...listImageObjectNames(photo.image), ...listImageObjectNames(trashed.image), avatar];
  assert.ok((await isStored(gallery, names)).every(Boolean));
});

test('a maintenance run carries out removals when they are due', async (context) => {
  const gallery = await makeGallery(context);
  const { deps } = gallery;
  const [due, later] = [createObjectKey(), createObjectKey()].map((key) =>
    objectName(key, 'avatar', 'webp'),
  ) as [string, string];
  await deps.storage.put([due, later].map((name) => ({ name, source: Buffer.from('x') })));
  const missing = objectName(createObjectKey(), 'thumb', 'webp');
  await deps.db.kysely
    .insertInto('removals')
    .values([
      { object: due, due_time: deps.clock() },
      { object: missing, due_time: 0 },
      { object: 'not a name', due_time: 0 },
      { object: later, due_time: deps.clock() + 10 * day },
    ])
    .execute();
  gallery.travel(2 * day);
  assert.deepEqual(await runMaintenance(deps, { graceSeconds: orphanGraceSeconds }), {
    ...nothing,
    objects: 2,
  });
  assert.deepEqual(await isStored(gallery, [due, later]), [false, true]);
  // The invalid removal is logged and stays, without blocking the other removals.
  const left = await deps.db.kysely.selectFrom('removals').select('object').orderBy('due_time').execute();
  assert.deepEqual(
    left.map(({ object }) => object),
    ['not a name', later],
  );
});

test('a maintenance run removes replaced versions, but never the shown version or the original', async (context) => {
  const gallery = await makeGallery(context);
  const { deps } = gallery;
  const owner = await addUser(gallery, 'owner');
  const expire_time = deps.clock() + 3600;
  const photo = await addPhoto(gallery, owner.id, 2, { expire_time });
  const replaced = await addVersion(gallery, photo.id, { kind: 'edit', extension: 'png', expire_time });
  const shown = await addVersion(gallery, photo.id, { kind: 'edit', expire_time });
  await deps.db.kysely.updateTable('photos').set({ image_key: shown.key }).execute();

  assert.deepEqual(await runMaintenance(deps, { graceSeconds: undefined }), nothing);
  gallery.travel(3600);
  assert.deepEqual(await runMaintenance(deps, { graceSeconds: undefined }), {
    ...nothing,
    versions: 1,
    objects: 3,
  });
  assert.deepEqual(await isStored(gallery, listImageObjectNames(replaced)), [false, false, false]);
  assert.ok(
    (await isStored(gallery, [...listImageObjectNames(photo.image), ...listImageObjectNames(shown)])).every(
      Boolean,
    ),
  );
  assert.equal((await deps.db.kysely.selectFrom('images').selectAll().execute()).length, 2);
});

test('a maintenance run empties the trash after thirty days', async (context) => {
  const gallery = await makeGallery(context);
  const { deps } = gallery;
  const owner = await addUser(gallery, 'owner');
  const photo = await addPhoto(gallery, owner.id, 0);
  const edited = await addVersion(gallery, photo.id, { kind: 'edit' });
  const kept = await addPhoto(gallery, owner.id, 2);
  await deps.db.kysely
    .updateTable('photos')
    .set({ delete_time: deps.clock() })
    .where('id', '=', photo.id)
    .execute();
  await deps.db.kysely.deleteFrom('sessions').execute();

  gallery.travel(30 * day);
  assert.deepEqual(await runMaintenance(deps, { graceSeconds: undefined }), {
    ...nothing,
    purged: 1,
    objects: 6,
  });
  assert.ok(
    (await isStored(gallery, [...listImageObjectNames(photo.image), ...listImageObjectNames(edited)])).every(
      (stored) => !stored,
    ),
  );
  assert.ok((await isStored(gallery, listImageObjectNames(kept.image))).every(Boolean));
  const { id } = await deps.db.kysely.selectFrom('photos').select('id').executeTakeFirstOrThrow();
  assert.equal(id, kept.id);
});

test('a maintenance run deletes sessions that have expired', async (context) => {
  const gallery = await makeGallery(context);
  const { deps } = gallery;
  const owner = await addUser(gallery, 'owner');
  gallery.travel(deps.config.tokenTtl);
  assert.deepEqual(
    await runMaintenance(deps, { graceSeconds: undefined }),
    nothing,
    'a clock may be wrong for days',
  );
  gallery.travel(7 * day);
  await startSession(deps, { id: owner.id, password_hash: '' }, { userAgent: '', ip: '' });
  assert.deepEqual(await runMaintenance(deps, { graceSeconds: undefined }), { ...nothing, sessions: 1 });
  assert.equal((await deps.db.kysely.selectFrom('sessions').select('id').execute()).length, 1);
});

test('a maintenance run removes orphans after the grace period', async (context) => {
  const gallery = await makeGallery(context);
  const { deps } = gallery;
  const owner = await addUser(gallery, 'owner');
  const photo = await addPhoto(gallery, owner.id, 2);
  const key = createObjectKey();
  const orphans = [
    objectName(key, 'original', 'jpg'),
    objectName(key, 'thumb', 'webp'),
    objectName(createObjectKey(), 'avatar', 'webp'),
  ];
  await deps.storage.put(orphans.map((name) => ({ name, source: Buffer.from('x') })));
  await deps.db.kysely.deleteFrom('sessions').execute();

  gallery.travel(day - 60);
  assert.deepEqual(await runMaintenance(deps, { graceSeconds: orphanGraceSeconds }), nothing);
  gallery.travel(120);
  assert.deepEqual(await runMaintenance(deps, { graceSeconds: undefined }), nothing);
  assert.deepEqual(await runMaintenance(deps, { graceSeconds: orphanGraceSeconds }), {
    ...nothing,
    orphans: 3,
  });
  assert.deepEqual(await isStored(gallery, orphans), [false, false, false]);
  assert.ok((await isStored(gallery, listImageObjectNames(photo.image))).every(Boolean));
});
