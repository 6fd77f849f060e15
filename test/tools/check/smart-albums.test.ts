/**
 * Tests `check` and smart albums: photos inside a smart album are taken out, and an unreadable rule is
 * reported and finds no photos.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { assertAlbumsConsistent } from '../../support/albums.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type CheckedGallery, startCheckedGallery } from '../../support/checked-gallery.ts';
import { addAlbum, addPhoto, asVisitor } from '../../support/people.ts';

let checked: CheckedGallery;
let smart: number;
let inner: number;
let photo: number;

const update = (statement: string) => sql.raw(statement).execute(checked.gallery.deps.db.kysely);

before(async () => {
  checked = await startCheckedGallery();
  const { owner } = checked;
  smart = assertWritten(
    await owner.post('/api/albums', { name: 'Smart', rule: 'harbour', visibility: 'members' }),
  ).id;
  inner = await addAlbum(owner, 'Not in it');
  photo = (await addPhoto(owner, { title: 'harbour too' })).id;
});
after(() => checked.gallery.close());

test('a smart album is as it should be', () => checked.assertClean());

test('a photo that lies in a smart album is moved out and keeps the level that counted there', async () => {
  const { gallery, owner } = checked;
  await addPhoto(owner, { title: 'in the inner album', album_id: String(inner) });
  await update(`UPDATE albums SET parent_id = ${smart}, visibility = 3 WHERE id = ${inner}`);
  await update(`UPDATE photos SET album_id = ${smart} WHERE id = ${photo}`);
  await update(`INSERT INTO album_photos SELECT ${smart}, id, 1, visibility, create_time, user_id, 0
    FROM photos WHERE id = ${photo}`);
  const { findings } = await checked.check({ isRepair: true });
  const [first] = findings;
  assert.deepEqual(
    [first!.kind, first!.subject, first!.detail],
    ['smart-album-filled', `album ${smart}`, 'contains 1 photos and 1 albums'],
  );
  await checked.check({ isRepair: true });
  await checked.assertClean();
  await assertAlbumsConsistent(gallery);
  const { album, visibility } = assertRead(await owner.get(`/api/photos/${photo}`));
  assert.deepEqual([album, visibility], [null, 'members']);
  const movedAlbum = assertRead(await owner.get(`/api/albums/${inner}`));
  assert.deepEqual([movedAlbum.parent_id, movedAlbum.visibility], [0, 'members']);
  assertRefused(await asVisitor(gallery).get(`/api/photos/${photo}`), 403, 20004);
  assertRefused(await asVisitor(gallery).get(`/api/albums/${inner}`), 403, 30002);
  const { pagination } = assertRead(await owner.get(`/api/albums/${smart}/photos`));
  assert.equal(pagination.total, 2, 'the rule finds what it did');
});

test('a rule that cannot be read finds nothing, and is mended by its owner', async () => {
  const { gallery, owner } = checked;
  await update(`UPDATE albums SET rule = 'iso:happy OR harbour' WHERE id = ${smart}`);
  const { findings, left } = await checked.check({ isRepair: true });
  assert.equal(left, 1);
  assert.deepEqual(
    findings.map(({ kind, subject }) => [kind, subject]),
    [['rule-unreadable', `album ${smart}`]],
  );
  assert.match(findings[0]!.detail, /^Cannot be read at character 1: "happy" is not a value/);
  assert.equal(assertRead(await owner.get(`/api/albums/${smart}/photos`)).pagination.total, 0);
  assert.equal(assertRead(await owner.get(`/api/photos?q=album:${smart}`)).pagination.total, 0);
  const { photo_count, rule } = assertRead(await owner.get(`/api/albums/${smart}`));
  assert.deepEqual([photo_count, rule], [0, 'iso:happy OR harbour']);
  assertRefused(await owner.put(`/api/albums/${smart}`, { rule: 'iso:happy' }), 400, 400, ['rule']);
  assertWritten(await owner.put(`/api/albums/${smart}`, { name: 'Renamed' }));
  assertWritten(await owner.put(`/api/albums/${smart}`, { rule: 'harbour' }));
  await checked.assertClean();
  const others = gallery.complaints().filter((line) => !line.includes('"repaired"'));
  assert.deepEqual(others, []);
});
