import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { formHeaders, listed, open, tryForm, unlock } from './steps.ts';

suite('sharing an album', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let admin: Person;
  let anybody: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    admin = await registerAdmin(gallery, 'admin');
    anybody = asVisitor(gallery);
  });
  after(() => gallery.close());

  const share = async (who: Person, album: number, more: object = {}) => {
    const made = assertWritten(await who.post(`/api/albums/${album}/share`, { type: 'link', ...more }));
    return { ...made, token: made.url.split('/').at(-1) as string };
  };
  const idsIn = ({ photos }: { photos: { list: { id: number }[] } }) => photos.list.map(({ id }) => id);

  test('shows a private album with its photos, their bytes too, and nothing beside it', async () => {
    const outer = await addAlbum(owner, 'Outer secret');
    const album = await addAlbum(owner, 'Wedding', { isPublic: false, parentId: outer });
    const inner = await addAlbum(owner, 'Inner secret', { parentId: outer });
    const first = await addPhoto(owner, { title: 'First', album_id: String(album) });
    const second = await addPhoto(owner, { title: 'Second', album_id: String(album), is_public: '0' });
    const trashed = await addPhoto(owner, { title: 'Trashed', album_id: String(album) });
    const below = await addPhoto(owner, { title: 'Below', album_id: String(inner), is_public: '0' });
    await addPhoto(owner, { title: 'Outside', album_id: String(outer), is_public: '0' });
    assertDone(await owner.delete(`/api/photos/${trashed.id}`));
    const { token, id } = await share(owner, album);

    const answer = await open(gallery, token);
    const shown = assertRead(answer);
    assert.deepEqual(Object.keys(shown), [
      'type',
      'album',
      'parents',
      'children',
      'photos',
      'allow_download',
    ]);
    assert.deepEqual(
      [shown.type, shown.album.name, shown.album.photo_count, shown.album.parent_id],
      ['album', 'Wedding', 2, 0],
    );
    assert.deepEqual(idsIn(shown), [first.id, second.id]);
    assert.equal(shown.photos.pagination.total, 2);
    for (const secret of ['Outer', 'Inner', 'Trashed', 'Below', 'Outside']) {
      assert.ok(!answer.bytes.includes(secret), secret);
    }
    const paths = shown.photos.list.flatMap(({ path, preview, thumb }: Record<string, string>) => [
      path,
      preview,
      thumb,
    ]);
    for (const path of [shown.album.cover, ...paths]) {
      assert.equal((await anybody.get(path)).status, 200, path);
      assert.equal((await anybody.get(path.split('?')[0])).status, 403, 'not without its signature');
    }
    assert.equal((await anybody.get(below.thumb.split('?')[0]!)).status, 403);
    const page = assertRead(await anybody.get(`/api/shares/${token}?limit=1&page=2`));
    assert.deepEqual(idsIn(page), [second.id]);

    const taken = paths.at(-1);
    assertWritten(
      await owner.send('DELETE', `/api/albums/${album}/photos`, {
        body: JSON.stringify({ ids: [second.id] }),
        headers: { 'content-type': 'application/json' },
      }),
    );
    assert.equal((await anybody.get(taken)).status, 403, 'what left the album is no longer shown');
    assert.deepEqual(idsIn(assertRead(await open(gallery, token))), [first.id]);

    const item = await listed(owner, id);
    assert.deepEqual([item.type, item.target.id, item.target.title], ['album', album, 'Wedding']);
    assert.equal((await owner.get(item.target.thumb)).status, 200);
    assertDone(await owner.delete(`/api/shares/${id}`));
    assertRefused(await open(gallery, token), 404, 20007);
    assert.equal((await anybody.get(paths[0])).status, 403);
  });

  test('is for its owner, and for admins if the album is public, and ends with the album', async () => {
    const album = await addAlbum(owner, 'Open');
    const closed = await addAlbum(owner, 'Closed', { isPublic: false });
    const club = assertWritten(await owner.post('/api/albums', { name: 'Club', visibility: 'members' })).id;
    for (const id of [closed, club]) {
      assertRefused(await admin.post(`/api/albums/${id}/share`, { type: 'link' }), 403, 30002);
    }
    assert.equal(assertRead(await open(gallery, (await share(admin, album)).token)).album.name, 'Open');
    for (const id of [album, closed, club]) {
      assertRefused(await stranger.post(`/api/albums/${id}/share`, { type: 'link' }), 403, 30002);
      assertRefused(await anybody.post(`/api/albums/${id}/share`, { type: 'link' }), 401, 401);
    }
    assertRefused(await owner.post('/api/albums/999999/share', { type: 'link' }), 404, 30001);
    assertRefused(await owner.post(`/api/albums/${album}/share`, { type: 'fax', expires: 0 }), 400, 400, [
      'type',
      'expires',
    ]);
    const { token } = await share(owner, closed, { expires: 1 });
    assert.equal(assertRead(await open(gallery, token)).album.name, 'Closed');
    assertDone(await owner.delete(`/api/albums/${closed}`));
    assertRefused(await open(gallery, token), 404, 20007);
    const second = await share(owner, album, { expires: 1 });
    gallery.travel(86_401);
    assertRefused(await open(gallery, second.token), 404, 20007);
  });

  test('shows an album for members with all its photos, as long as its owner shares it', async () => {
    const album = await addAlbum(owner, 'Reunion');
    const ids: number[] = [];
    for (const visibility of ['public', 'members', 'private']) {
      ids.push((await addPhoto(owner, { visibility, album_id: String(album) })).id);
    }
    const [own, adminsLink] = [await share(owner, album), await share(admin, album)];
    const ofAdmin = assertRead(await open(gallery, adminsLink.token));
    assert.deepEqual([idsIn(ofAdmin), ofAdmin.album.photo_count], [ids.slice(0, 1), 1]);
    assertWritten(await owner.put(`/api/albums/${album}`, { visibility: 'members' }));
    const shown = assertRead(await open(gallery, own.token));
    assert.deepEqual([idsIn(shown), shown.album.photo_count], [ids, 3]);
    for (const { thumb } of shown.photos.list) {
      assert.equal((await anybody.get(thumb)).status, 200);
      assert.equal((await anybody.get(thumb.split('?')[0])).status, 403, 'not without its signature');
    }
    assertRefused(await open(gallery, adminsLink.token), 404, 20007);
  });

  test('has a page, and asks for its password first', async () => {
    const album = await addAlbum(owner, '<b>Harbours</b>', { isPublic: false });
    const photo = await addPhoto(owner, { title: 'Pier', album_id: String(album) });
    const { token } = await share(owner, album, { password: 'blue heron' });
    assertRefused(await open(gallery, token), 403, 20008);
    const access = await unlock(gallery, token, 'blue heron');
    assert.deepEqual(idsIn(assertRead(await open(gallery, token, access))), [photo.id]);

    const locked = await anybody.get(`/s/${token}`);
    assert.equal(locked.status, 200);
    for (const secret of ['Harbours', 'Pier', '/storage/']) assert.ok(!locked.bytes.includes(secret), secret);
    const cookie = (await tryForm(gallery, token, 'blue heron')).headers.get('set-cookie')!.split(';')[0]!;
    const page = await anybody.get(`/s/${token}`, { cookie, ...formHeaders });
    const text = page.bytes.toString();
    assert.match(text, /&lt;b&gt;Harbours/);
    assert.match(text, /1 photo</);
    const thumb = /<img src="\.\.([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&');
    assert.equal((await anybody.get(thumb)).status, 200);
    assert.equal((await anybody.get(`/s/${token}?page=x`, { cookie })).status, 400);
    assert.equal((await anybody.get(`/s/${token}?page=9`, { cookie })).status, 200);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
