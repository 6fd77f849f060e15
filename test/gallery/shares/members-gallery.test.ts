/** Tests images of links in a gallery for members, where also the paths of public photos need a valid link. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { open } from './steps.ts';

suite('links of a gallery for members', () => {
  let gallery: Gallery;
  let owner: Person;
  let admin: Person;

  before(async () => {
    gallery = await startGallery({ access: 'members', registration: 'open' });
    owner = await register(gallery, 'owner');
    admin = await registerAdmin(gallery, 'admin');
  });
  after(() => gallery.close());

  const share = async (who: Person, album: number): Promise<string> =>
    assertWritten(await who.post(`/api/albums/${album}/share`, { type: 'link' }))
      .url.split('/')
      .at(-1);
  const readThumb = async (token: string) => assertRead(await open(gallery, token)).photos.list[0].thumb;

  test('a link of a smart album shows the images of its public photos', async () => {
    await addPhoto(owner, { title: 'Peak', tags: 'alps' });
    const { id } = assertWritten(await owner.post('/api/albums', { name: 'Alps', rule: 'tag:alps' }));
    const thumb = await readThumb(await share(owner, id));
    assert.equal((await asVisitor(gallery).get(thumb)).status, 200);
  });

  test("images of somebody else's album link end with the link", async () => {
    const [main, album] = [await addAlbum(owner, 'Main'), await addAlbum(owner, 'Shared')];
    const { id } = await addPhoto(owner, { album_id: String(main) });
    assertWritten(await owner.post(`/api/albums/${album}/photos`, { ids: [id] }));
    const token = await share(admin, album);
    const thumb = await readThumb(token);
    assert.equal((await asVisitor(gallery).get(thumb)).status, 200);
    assertWritten(await owner.put(`/api/albums/${album}`, { visibility: 'private' }));
    assertRefused(await open(gallery, token), 404, 20007);
    assert.equal((await asVisitor(gallery).get(thumb)).status, 401);
  });
});
