/** Tests input without a value (empty, null, missing), and input that the server cannot parse. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused, assertWritten } from '../support/assert-answers.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { addAlbum, addPhoto, type Person, password, register, registerAdmin } from '../support/people.ts';
import { createJpeg } from '../support/pictures.ts';
import { createRequestHead, exchangeRaw } from '../support/raw.ts';

describe('input that', () => {
  let gallery: Gallery;
  let alice: Person;
  let bobby: Person;
  let admin: Person;
  let photo: number;
  let album: number;

  before(async () => {
    gallery = await startGallery();
    alice = await register(gallery, 'alice');
    bobby = await register(gallery, 'bobby');
    admin = await registerAdmin(gallery, 'admin');
    album = await addAlbum(alice, 'Alps');
    photo = (await addPhoto(alice, { title: 'Moon', tags: 'night' })).id;
    await addPhoto(alice, { title: 'Peak', tags: 'alps', album_id: String(album) });
    await addPhoto(alice, { title: 'Hidden', is_public: '0' });
  });
  after(() => gallery.close());

  describe('is no UTF-8', () => {
    test('refuses a query that is not UTF-8 and names the field', async () => {
      for (const value of ['%ff', '%E0%A4%A', '%', 'a%zz', '%C3%28', '%ED%A0%80']) {
        assertRefused(await alice.get(`/api/photos?keyword=${value}`), 400, 400, ['keyword']);
        assertRefused(await alice.get(`/api/photos?page=0&tag=a&tag=${value}`), 400, 400, ['page', 'tag']);
        assertRefused(await alice.get(`/api/shares/x?access=${value}`), 400, 400, ['access']);
      }
      assertRefused(await alice.get('/api/photos?%ff=1'), 400, 400, ['query']);
    });

    test('refuses a path that is not UTF-8 with a response that pages of other origins can read', async () => {
      for (const path of ['/api/photos/%ff', '/api/photos/%E0%A4%A/like', '/api/%']) {
        const answer = await exchangeRaw(
          gallery,
          createRequestHead('GET', path, { Origin: 'https://app.example' }),
        );
        assert.deepEqual([answer.status, answer.body.code], [400, 400], path);
        assert.equal(answer.headers.get('access-control-allow-origin'), '*');
        assert.match(answer.body.message, /path/);
      }
    });
  });

  describe('stands for nothing', () => {
    test('treats an empty parameter or form field as unset', async () => {
      const empty =
        'page=&limit=&sort=&order=&album_id=&user_id=&tag=&keyword=&date_from=&date_to=&is_public=';
      assert.deepEqual(
        assertRead(await alice.get(`/api/photos?${empty}`)),
        assertRead(await alice.get('/api/photos')),
      );
      assertRead(await admin.get('/api/admin/photos?reported=&keyword=&user_id='));
      assertRead(await admin.get('/api/admin/logs?actor=&action=&date_from='));
      const fields = { title: '', description: '', album_id: '', tags: '', is_public: '' };
      const { id } = assertWritten(await alice.upload(await createJpeg(), fields));
      const made = assertRead(await alice.get(`/api/photos/${id}`));
      assert.deepEqual([made.title, made.album, made.tags, made.is_public], ['', null, [], 1]);
      const other = await addPhoto(alice, { album_id: '0' });
      assert.equal(assertRead(await alice.get(`/api/photos/${other.id}`)).album, null);
    });

    test('treats null in a body as unset wherever the field is optional', async () => {
      const all = { nickname: 'Al', bio: 'b', gender: 1, birthday: '2000-01-01', mobile: '1' };
      assertWritten(await alice.put('/api/auth/profile', all));
      const unset = { nickname: null, bio: null, gender: null, birthday: null, mobile: null };
      assertWritten(await alice.put('/api/auth/profile', unset));
      const { nickname, bio, gender, birthday, mobile } = assertRead(await alice.get('/api/auth/user'));
      assert.deepEqual([nickname, bio, gender, birthday, mobile], ['', '', 0, '', '']);

      const { id } = await addPhoto(alice, { title: 'a', description: 'b', tags: 'c' });
      const none = { title: null, description: null, tags: null, album_id: null };
      assertDone(await alice.put(`/api/photos/${id}`, none));
      const shown = assertRead(await alice.get(`/api/photos/${id}`));
      assert.deepEqual([shown.title, shown.description, shown.tags], ['', '', []]);
      assertRefused(await alice.put(`/api/photos/${id}`, { is_public: null }), 400, 400, ['is_public']);

      const terms = { type: 'link', expires: null, password: null };
      const share = assertWritten(await alice.post(`/api/photos/${id}/share`, terms));
      const [made] = assertRead(await alice.get('/api/shares')).list;
      assert.deepEqual([made.id, made.has_password, made.expire_time], [share.id, false, '']);
      assertWritten(await alice.post(`/api/photos/${id}/revert`, { edit_id: null }));
      const given = { name: 'Null', description: null, parent_id: null, is_public: null };
      const created = assertWritten(await alice.post('/api/albums', given));
      assert.deepEqual([created.description, created.parent_id, created.is_public], ['', 0, 1]);
      assertRefused(await alice.put(`/api/albums/${created.id}`, { name: null }), 400, 400, ['name']);
      const rules = { type: 'link', allow_download: null, max_views: null };
      const open = assertWritten(await alice.post(`/api/photos/${id}/share`, rules));
      assertWritten(await alice.put(`/api/shares/${open.id}`, { allow_download: false }));
      assert.equal(
        assertWritten(await alice.put(`/api/shares/${open.id}`, { allow_download: null })).allow_download,
        true,
      );
      assertWritten(await alice.post('/api/photos/archive', { ids: [id], q: null, kind: null }));
      assertWritten(await alice.post('/api/photos/archive', { ids: null, q: 'is:public' }));
      assertRefused(await alice.post('/api/photos/archive', { ids: null, q: null }), 400, 400, ['ids', 'q']);
      const login = { username: 'alice', password, cookie: null };
      assert.equal(typeof assertWritten(await alice.post('/api/auth/login', login)).token, 'string');
      const key = { name: 'k', scopes: null, expires: null };
      assert.deepEqual(assertWritten(await alice.post('/api/auth/tokens', key)).scopes, ['read']);
    });

    test('treats an empty body of any type as unset, and names every required field of a missing body', async () => {
      for (const type of [
        'application/x-www-form-urlencoded',
        'text/plain',
        'application/json',
        'nonsense',
      ]) {
        const headers = { 'content-type': type };
        const like = () => bobby.send('POST', `/api/photos/${photo}/like`, { body: '', headers });
        assert.equal(assertWritten(await like()).is_liked, true);
        assert.equal(assertWritten(await like()).is_liked, false);
        const share = await alice.send('POST', `/api/photos/${photo}/share`, { body: '', headers });
        assertRefused(share, 400, 400, ['type']);
        if (type === 'nonsense') continue;
        const chunked = { 'Content-Type': type, 'Transfer-Encoding': 'chunked' };
        const request = createRequestHead('POST', `/api/photos/${photo}/like`, {
          Authorization: `Bearer ${bobby.token}`,
          ...chunked,
        });
        for (const isLiked of [true, false]) {
          const answer = await exchangeRaw(gallery, `${request}0\r\n\r\n`);
          assert.deepEqual([answer.status, answer.body.data?.is_liked], [200, isLiked], answer.text);
        }
      }
      assertRefused(await alice.put(`/api/photos/${photo}`), 400, 400, ['body']);
      assertRefused(await alice.post('/api/albums'), 400, 400, ['name']);
      assertRefused(await alice.post('/api/photos/x/edit'), 400, 400, ['id', 'action', 'params']);
      assertWritten(await alice.post(`/api/photos/${photo}/revert`));
      const form = { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
      assertRefused(await alice.send('POST', `/api/photos/${photo}/like`, form), 415, 415);
    });
  });

  test('accepts the input of a DELETE in the query instead of the body', async () => {
    const { id } = await addPhoto(alice, { album_id: String(album) });
    const path = `/api/albums/${album}/photos`;
    assertRefused(await alice.delete(path), 400, 400, ['ids']);
    assertRefused(await alice.delete(`${path}?ids=1&ids=2`), 400, 400, ['ids']);
    assert.deepEqual(assertWritten(await alice.delete(`${path}?ids=${id}`)).success, [id]);
    assert.equal(assertRead(await alice.get(`/api/photos/${id}`)).album, null);
  });

  test('unset input causes no server error', () => assert.deepEqual(gallery.complaints(), []));
});
