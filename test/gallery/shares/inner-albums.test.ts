/** Tests the albums inside a shared album: in the API, on the page, in the ZIP, and which stay hidden. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { unzip } from '../../support/zip.ts';
import { listed, tryPassword } from './steps.ts';

interface Item {
  id: number;
  name: string;
  cover: string;
  photo_count: number;
}

for (const access of ['public', 'members'] as const) {
  describe(`a shared album with inner albums in a gallery with access ${access}`, () => {
    let gallery: Gallery;
    let owner: Person;
    let anybody: Person;
    let root: number;
    let italy: number;
    let rome: number;
    let secret: number;
    let inRome: { id: number; thumb: string };
    let inSecret: { id: number; thumb: string };

    before(async () => {
      gallery = await startGallery({ access, registration: 'open' });
      owner = await register(gallery, 'owner');
      anybody = asVisitor(gallery);
      root = await addAlbum(owner, 'Travel');
      italy = await addAlbum(owner, 'Italy', { parentId: root });
      rome = await addAlbum(owner, 'Rome <b>', { parentId: italy });
      secret = await addAlbum(owner, 'Secret', { parentId: root, isPublic: false });
      inRome = await addPhoto(owner, { title: 'Forum', album_id: String(rome) });
      await addPhoto(owner, { title: 'Fountain', album_id: String(rome), is_public: '0' });
      inSecret = await addPhoto(owner, { title: 'Hidden', album_id: String(secret) });
    });
    after(() => gallery.close());

    async function share(
      album: number,
      more: object = {},
      who = owner,
    ): Promise<{ id: number; token: string }> {
      const made = assertWritten(await who.post(`/api/albums/${album}/share`, { type: 'link', ...more }));
      return { id: made.id, token: made.url.split('/').at(-1) };
    }
    const read = async (token: string, query = '') =>
      assertRead(await anybody.get(`/api/shares/${token}${query}`));
    const listNames = (items: Item[]) => items.map(({ name }) => name);
    const see = async (path: string) => (await anybody.get(path)).status;

    test('shows the inner albums as cards, with covers from below, and leads into them', async () => {
      const { token } = await share(root);
      const shown = await read(token);
      assert.deepEqual(listNames(shown.children), ['Italy']);
      assert.deepEqual([shown.parents, shown.photos.list], [[], []]);
      assert.equal(await see(shown.album.cover), 200);
      assert.equal(await see(shown.children[0].cover), 200);
      const inside = await read(token, `?album_id=${italy}`);
      assert.deepEqual(listNames(inside.children), ['Rome <b>']);
      assert.deepEqual([inside.children[0].photo_count, inside.album.parent_id], [2, root]);
      const deep = await read(token, `?album_id=${rome}`);
      assert.deepEqual(listNames(deep.parents), ['Travel', 'Italy']);
      assert.deepEqual(
        deep.photos.list.map(({ title }: { title: string }) => title),
        ['Forum', 'Fountain'],
      );
      for (const { path, thumb, preview } of deep.photos.list)
        for (const one of [path, thumb, preview]) assert.equal(await see(one), 200, one);
    });

    test('shows the cards and the way back on its page, escaped, and a preview with a picture', async () => {
      const { token } = await share(root);
      const page = (await anybody.get(`/s/${token}`)).bytes.toString();
      assert.ok(page.includes(`href="?album_id=${italy}"`));
      assert.match(page, /property="og:image" content="[^"]+card\.jpg/);
      const inside = (await anybody.get(`/s/${token}?album_id=${italy}`)).bytes.toString();
      assert.ok(inside.includes('Rome &lt;b&gt;') && inside.includes('<a href="?" dir="auto">Travel</a>'));
      const deep = (await anybody.get(`/s/${token}?album_id=${rome}`)).bytes.toString();
      assert.ok(deep.includes('Forum') && deep.includes(`download?album_id=${rome}"`));
    });

    test('puts the inner albums into the ZIP as folders, also of one inner album', async () => {
      const { token } = await share(root);
      const load = async (query = '') =>
        [
          ...(await unzip((await anybody.get(`/api/shares/${token}/download${query}`)).bytes)).files.keys(),
        ].toSorted();
      assert.deepEqual(await load(), [
        'Italy/',
        'Italy/Rome _b_/',
        'Italy/Rome _b_/Forum.jpg',
        'Italy/Rome _b_/Fountain.jpg',
      ]);
      assert.deepEqual(await load(`?album_id=${rome}`), ['Forum.jpg', 'Fountain.jpg']);
      assertRefused(await anybody.get(`/api/shares/${token}/download?album_id=${secret}`), 404, 20007);
    });

    test('never shows an inner album that is narrower, nor an album beside it or above it', async () => {
      const { token } = await share(root);
      const other = await addAlbum(owner, 'Beside');
      const stranger = await register(gallery, 'stranger');
      const foreign = await addAlbum(stranger, 'Foreign');
      const below = await addAlbum(owner, 'Below the secret', { parentId: secret });
      const club = assertWritten(
        await owner.post('/api/albums', { name: 'Club', visibility: 'members', parent_id: root }),
      ).id;
      for (const id of [secret, below, club, other, foreign, 999_999])
        for (const path of [`/api/shares/${token}?album_id=${id}`, `/s/${token}?album_id=${id}`])
          assert.equal(await see(path), 404, path);
      const page = (await anybody.get(`/s/${token}`)).bytes.toString();
      for (const word of ['Secret', 'Club', 'Hidden']) assert.equal(page.includes(word), false, word);
      const signed = (await read(token)).children[0].cover.split('?')[1];
      assert.notEqual(await see(`${inSecret.thumb.split('?')[0]}${signed ? `?${signed}` : ''}`), 200);
      const { token: inner } = await share(italy);
      assert.equal(await see(`/api/shares/${inner}?album_id=${root}`), 404);
      for (const bad of ['x', '-1', '0', '1.5'])
        assert.equal(await see(`/api/shares/${token}?album_id=${bad}`), 400, bad);
    });

    test('shows the inner albums of a private album, and ends when one is hidden or moved away', async () => {
      const home = await addAlbum(owner, 'Home', { isPublic: false });
      const garden = await addAlbum(owner, 'Garden', { parentId: home });
      const { id } = await addPhoto(owner, { title: 'Rose', album_id: String(garden) });
      const { token } = await share(home);
      assert.deepEqual(listNames((await read(token)).children), ['Garden']);
      const { list } = (await read(token, `?album_id=${garden}`)).photos;
      assert.deepEqual([list[0].id, await see(list[0].thumb)], [id, 200]);
      assertWritten(await owner.put(`/api/albums/${garden}`, { parent_id: 0 }));
      assert.deepEqual((await read(token)).children, []);
      assert.equal(await see(`/api/shares/${token}?album_id=${garden}`), 404);
      assert.equal(await see(list[0].thumb), access === 'members' ? 401 : 403);
    });

    test('holds password, limits and the end of the link for inner albums', async () => {
      const guarded = await share(root, { password: 'wild duck' });
      for (const path of [
        `/api/shares/${guarded.token}?album_id=${italy}`,
        `/api/shares/${guarded.token}/download?album_id=${italy}`,
      ])
        assertRefused(await anybody.get(path), 403, 20008);
      const { access: pass } = assertWritten(await tryPassword(gallery, guarded.token, 'wild duck'));
      assert.equal(await see(`/api/shares/${guarded.token}?album_id=${italy}&access=${pass}`), 200);
      const limited = await share(root, { max_views: 1 });
      await read(limited.token, `?album_id=${rome}`);
      assertRefused(await anybody.get(`/api/shares/${limited.token}?album_id=${rome}`), 404, 20007);
      const small = await share(root, { allow_download: false });
      assertRefused(await anybody.get(`/api/shares/${small.token}/download?album_id=${rome}`), 403, 403);
      const shown = await read(small.token, `?album_id=${rome}`);
      assert.equal(shown.photos.list[0].path, shown.photos.list[0].preview);
      assertDone(await owner.delete(`/api/shares/${small.id}`));
      assertRefused(await anybody.get(`/api/shares/${small.token}?album_id=${rome}`), 404, 20007);
    });

    test('counts one view for a visitor who goes on into inner albums', async () => {
      const { id, token } = await share(root);
      for (const query of ['', `?album_id=${italy}`, `?album_id=${rome}`])
        await anybody.get(`/s/${token}${query}`);
      await gallery.deps.db.counters.flush();
      assert.equal((await listed(owner, id)).views, 1);
    });

    test('shows only public photos of an inner smart album and of an album that an admin shared', async () => {
      const outer = await addAlbum(owner, 'Outer');
      const smart = assertWritten(
        await owner.post('/api/albums', { name: 'Smart', parent_id: outer, rule: 'Forum OR Fountain' }),
      ).id;
      const { token } = await share(outer);
      assert.deepEqual(listNames((await read(token)).children), ['Smart']);
      const { list } = (await read(token, `?album_id=${smart}`)).photos;
      assert.deepEqual(
        list.map(({ id }: Item) => id),
        [inRome.id],
      );
      assert.equal(await see(list[0].thumb), 200);
      const admin = await registerAdmin(gallery, 'admin');
      const lent = await share(root, {}, admin);
      assert.equal((await read(lent.token, `?album_id=${rome}`)).photos.pagination.total, 1);
    });
  });
}
