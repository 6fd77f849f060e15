/** Links and public photos of a disabled account show nothing until the account is enabled again. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRead, assertRefused } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { addSharedPhoto, privateFields, share } from '../shares/steps.ts';

describe('the photos of a disabled account', () => {
  let gallery: Gallery;
  let admin: Person;
  let anybody: Person;

  before(async () => {
    gallery = await startGallery();
    admin = await registerAdmin(gallery, 'admin');
    anybody = asVisitor(gallery);
  });
  after(() => gallery.close());

  async function setStatus(owner: Person, status: number): Promise<void> {
    const answer = await admin.put(`/api/admin/users/${owner.id}`, { status });
    assert.equal(answer.status, 200);
  }

  test('are opened by no link when they are private', async () => {
    const owner = await register(gallery, 'ann');
    const { token } = await share(owner, await addSharedPhoto(owner, privateFields));
    const { photo } = assertRead(await anybody.get(`/api/shares/${token}`));
    const links = [`/s/${token}`, `/api/shares/${token}`];
    const images: string[] = [photo.path, photo.preview, photo.thumb];
    const statuses = () =>
      Promise.all([...links, ...images].map(async (path) => (await anybody.get(path)).status));

    assert.deepEqual(await statuses(), [200, 200, 200, 200, 200]);
    await setStatus(owner, 0);
    assert.deepEqual(await statuses(), [404, 404, 403, 403, 403]);
    assertRefused(await anybody.get(links[1]!), 404, 20007);
    await setStatus(owner, 1);
    assert.deepEqual(await statuses(), [200, 200, 200, 200, 200]);
  });

  test('are in no list and cannot be opened when they are public', async () => {
    const owner = await register(gallery, 'ben');
    const id = await addSharedPhoto(owner, { tags: 'coast' });
    const lists = ['', `?user_id=${owner.id}`, '?keyword=harbour', '?tag=coast'];
    const listed = () =>
      Promise.all(
        lists.map(async (query) => {
          const { list } = assertRead(await anybody.get(`/api/photos${query}`));
          return list.some((photo: { id: number }) => photo.id === id);
        }),
      );
    const { path, thumb } = assertRead(await anybody.get(`/api/photos/${id}`));

    assert.deepEqual(await listed(), [true, true, true, true]);
    await setStatus(owner, 0);
    assert.deepEqual(await listed(), [false, false, false, false]);
    assertRefused(await anybody.get(`/api/photos/${id}`), 403, 20004);
    for (const image of [path, thumb]) assertRefused(await anybody.get(image), 403, 20004);
    await setStatus(owner, 1);
    // A background job shows the photos in lists again, batch by batch. The job may first finish hiding the
    // photos.
    await eventually(async () => {
      assert.deepEqual(await listed(), [true, true, true, true]);
      assert.equal((await anybody.get(`/api/photos/${id}`)).status, 200);
    });
  });
});
