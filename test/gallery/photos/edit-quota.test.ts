/**
 * Bytes of edited versions count against the quota until they are deleted, and the number of versions is
 * limited.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { chargedBytes, renditionAllowanceBytes } from '../../../server/gallery/photos/upload/quota.ts';
import { checkGallery } from '../../../server/tools/check/check.ts';
import type { CheckFinding } from '../../../server/tools/check/findings.ts';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { assertTotalsMatchRows } from '../../support/assert-totals.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, register, registerAdmin } from '../../support/people.ts';
import { createLandmarks } from '../../support/pictures.ts';

const megabyte = 1024 * 1024;
const quota = 10 * megabyte;

describe('the quota and edits', () => {
  let gallery: Gallery;
  let owner: Person;
  let admin: Person;

  before(async () => {
    gallery = await startGallery({ defaultQuotaBytes: quota });
    owner = await register(gallery, 'owner');
    admin = await registerAdmin(gallery, 'admin');
  });
  after(() => gallery.close());

  const used = async (): Promise<number> => {
    const { list } = assertRead(await admin.get('/api/admin/users?keyword=owner'));
    return list[0].storage_used;
  };
  const rotate = (id: number, who = owner) =>
    who.post(`/api/photos/${id}/edit`, { action: 'rotate', params: { angle: 90 } });
  const sizes = async (id: number) =>
    (
      await gallery.deps.db.kysely
        .selectFrom('images')
        .select(['size', 'kind', 'key', 'expire_time'])
        .where('photo_id', '=', id)
        .execute()
    ).map((image) => ({ ...image, size: Number(image.size) }));
  const stored = async () => {
    const names: string[] = [];
    for await (const some of gallery.deps.storage.list()) names.push(...some);
    return names;
  };

  test('a new account has the quota of the settings', async () => {
    const { list } = assertRead(await admin.get('/api/admin/users'));
    assert.deepEqual(
      list.map(({ quota_mb }: { quota_mb: number }) => quota_mb),
      [10, 10],
    );
  });

  test('an edit and the version it replaced count against the quota until their deletion', async () => {
    const { id, size } = await addPhoto(owner, {}, await createLandmarks(300, 200));
    assert.equal(await used(), chargedBytes([{ size }]));
    assertWritten(await rotate(id));
    assertWritten(await rotate(id));
    assert.equal((await sizes(id)).length, 3);
    assert.equal(await used(), chargedBytes(await sizes(id)));
    assert.ok((await used()) > 3 * renditionAllowanceBytes + size);
    assertWritten(await owner.post(`/api/photos/${id}/revert`, {}));
    assert.equal(await used(), chargedBytes(await sizes(id)), 'for their hour the versions still count');
    gallery.travel(3600);
    await runMaintenance(gallery.deps, { graceSeconds: undefined });
    assert.equal(await used(), chargedBytes([{ size }]));
    assertWritten(await rotate(id));
    assertDone(await owner.delete(`/api/photos/${id}`));
    assertDone(await owner.delete(`/api/trash/${id}`));
    assert.equal(await used(), 0);
    await assertTotalsMatchRows(gallery);
  });

  test("refuses an edit beyond the owner's quota, also by an admin, and leaves nothing behind", async () => {
    const noise = await sharp({
      create: {
        width: 500,
        height: 500,
        channels: 3,
        background: 'gray',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    const { id } = await addPhoto(owner, {}, noise);
    const before = { used: await used(), stored: (await stored()).sort() };
    const enlarge = { action: 'resize', params: { width: 3000, height: 3000 } };
    for (const who of [owner, admin]) {
      assertRefused(await who.post(`/api/photos/${id}/edit`, enlarge), 413, 20006);
    }
    assert.deepEqual({ used: await used(), stored: (await stored()).sort() }, before);
    assert.deepEqual(assertRead(await owner.get(`/api/photos/${id}/edits`)).list, []);
    const answers = await Promise.all(Array.from({ length: 6 }, () => rotate(id)));
    assert.ok(answers.every(({ status }) => [200, 413, 503].includes(status)));
    assert.equal(await used(), chargedBytes(await sizes(id)));
    assert.ok((await used()) <= quota);
    assertDone(await owner.delete(`/api/photos/${id}`));
    assertDone(await owner.delete(`/api/trash/${id}`));
  });

  test('keeps five replaced versions of a photo, and removes older versions at once', async () => {
    await runMaintenance(gallery.deps, { graceSeconds: undefined });
    const { id } = await addPhoto(owner, {}, await createLandmarks(300, 200));
    for (let n = 0; n < 9; n++) assertWritten(await rotate(id));
    const images = await sizes(id);
    assert.equal(images.length, 1 + 1 + 5, 'the original, what is shown, and five');
    assert.equal(await used(), chargedBytes(images));
    const keys = new Set(images.map(({ key }) => key));
    const names = await stored();
    assert.equal(names.length, images.length * 3, 'three objects of each, and none of those that went');
    assert.ok(names.every((name) => keys.has(name.split('.')[0]!)));
    assert.deepEqual(await gallery.deps.db.kysely.selectFrom('removals').selectAll().execute(), []);
    await assertTotalsMatchRows(gallery);
  });

  test('the check counts and repairs the used bytes of accounts', async () => {
    const found = async (isRepair: boolean) => {
      const findings: CheckFinding[] = [];
      await checkGallery(gallery.deps, {
        isFast: true,
        isRepair,
        jobs: 1,
        progress: { begin: () => {}, step: () => {} },
        onFinding: (finding) => findings.push(finding),
      });
      return findings.map(({ kind, subject }) => `${kind} ${subject}`);
    };
    assert.deepEqual(await found(false), []);
    const right = await used();
    await gallery.deps.db.kysely
      .updateTable('users')
      .set({ used_bytes: 1 })
      .where('id', '=', owner.id)
      .execute();
    assert.deepEqual(await found(true), [`counter-drifted user ${owner.id}`]);
    assert.equal(await used(), right);
    assert.deepEqual(await found(false), []);
  });

  test('the server logged no error during these tests', () => {
    const others = gallery.complaints().filter((line) => !line.includes('"msg":"repaired"'));
    assert.deepEqual(others, []);
  });
});
