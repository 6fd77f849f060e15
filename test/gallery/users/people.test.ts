/**
 * Tests profiles, the search for people, and a user's photos and favorites: their contents for each viewer.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { insertUser } from '../../../server/gallery/accounts/store.ts';
import { hashPassword } from '../../../server/gallery/identity/passwords.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { cheapCosts, type Gallery, startGallery } from '../../support/harness.ts';
import {
  addAlbum,
  addPhoto,
  asVisitor,
  disableAccount,
  logIn,
  type Person,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';

describe('people', () => {
  let gallery: Gallery;
  let ansel: Person;
  let dora: Person;
  let admin: Person;
  let gone: Person;

  before(async () => {
    gallery = await startGallery();
    ansel = await register(gallery, 'Ansel');
    dora = await register(gallery, 'dora_m');
    admin = await registerAdmin(gallery, 'admin');
    gone = await register(gallery, 'gone');
    await disableAccount(gallery, gone);
  });
  after(() => gallery?.close());

  const namesIn = (page: { list: { username: string }[] }) => page.list.map(({ username }) => username);
  const idsIn = (page: { list: { id: number }[] }) => page.list.map(({ id }) => id);
  const search = async (keyword: string, who = asVisitor(gallery)) =>
    assertRead(await who.get(`/api/users?keyword=${encodeURIComponent(keyword)}`));

  test('are listed, the newest first, without the disabled ones', async () => {
    const page = assertRead(await asVisitor(gallery).get('/api/users'));
    assert.deepEqual(namesIn(page), ['admin', 'dora_m', 'Ansel']);
    assert.equal(page.pagination.total, 3);
    assert.deepEqual(Object.keys(page.list[0]), ['id', 'username', 'nickname', 'avatar']);
    const second = assertRead(await asVisitor(gallery).get('/api/users?limit=2&page=2'));
    assert.deepEqual([namesIn(second), second.pagination.pages], [['Ansel'], 2]);
    assert.equal(assertRead(await admin.get('/api/users')).pagination.total, 4);
    assert.deepEqual(idsIn(await search('gone', admin)), [gone.id]);
    assert.deepEqual(idsIn(await search('gone')), []);
  });

  test('are found by a part of username or nickname, in any case and script', async () => {
    await dora.put('/api/auth/profile', { nickname: 'Дора 100%_Maar' });
    for (const keyword of ['nse', 'ANSEL', 'an']) assert.deepEqual(namesIn(await search(keyword)), ['Ansel']);
    for (const keyword of ['дОР', '100%_', 'maar', 'A_M', '0%']) {
      assert.deepEqual(namesIn(await search(keyword)), ['dora_m'], keyword);
    }
    for (const keyword of ['d%a', 'ans_l', '\\', "'", 'example.org', 'zzz']) {
      assert.deepEqual((await search(keyword)).list, [], keyword);
    }
    assert.equal((await search(' ')).pagination.total, 3);
    await register(gallery, 'dora_m_too');
    assert.deepEqual(namesIn(await search('dora_m')), ['dora_m', 'dora_m_too']);
    await dora.put('/api/auth/profile', { nickname: 'Dora' });
    assert.deepEqual(namesIn(await search('maar')), []);
    assertRefused(await asVisitor(gallery).get(`/api/users?keyword=${'x'.repeat(51)}`), 400, 400, [
      'keyword',
    ]);
  });

  test('have a home page, by id and by name, that keeps to itself what is private', async () => {
    await ansel.put('/api/auth/profile', { bio: 'Large format', mobile: '0301234', birthday: '1902-02-20' });
    const [shown, hidden] = [await addPhoto(ansel), await addPhoto(ansel, { is_public: '0' })];
    const { id: forMembers } = await addPhoto(ansel, { visibility: 'members' });
    await addPhoto(ansel).then(({ id }) => ansel.delete(`/api/photos/${id}`));
    await dora.post(`/api/photos/${shown.id}/like`);
    await admin.post(`/api/photos/${hidden.id}/like`);
    await dora.post(`/api/photos/${forMembers}/like`);
    await addAlbum(ansel, 'Open');
    assertWritten(await ansel.post('/api/albums', { name: 'Club', visibility: 'members' }));
    const answer = await dora.get(`/api/users/${ansel.id}`);
    const home = assertRead(answer);
    assert.deepEqual(
      { ...home, create_time: '' },
      {
        id: ansel.id,
        username: 'Ansel',
        nickname: '',
        avatar: '',
        bio: 'Large format',
        create_time: '',
        is_following: false,
        is_followed: false,
        stats: { photos: 2, albums: 2, likes: 2, followers: 0, following: 0 },
      },
    );
    assert.doesNotMatch(answer.bytes.toString(), /example\.org|0301234|1902|password|admin/);
    for (const path of ['Ansel', 'aNSEL']) {
      assert.deepEqual(assertRead(await dora.get(`/api/users/${path}`)), home);
    }
    for (const [who, counts] of [
      [ansel, [3, 2, 3]],
      [admin, [2, 2, 2]],
      [asVisitor(gallery), [1, 1, 1]],
    ] as const) {
      const { stats } = assertRead(await who.get(`/api/users/${ansel.id}`));
      assert.deepEqual([stats.photos, stats.albums, stats.likes], counts, who.name);
    }
    assert.equal(assertRead(await asVisitor(gallery).get(`/api/users/${ansel.id}`)).is_following, false);
  });

  test('answer 50001 on every path when they are disabled or unknown', async () => {
    const unknown = ['999999', 'nobody_here', '99999999999999999999', '0'];
    for (const id of [...unknown, String(gone.id), 'gone']) {
      for (const rest of ['', '/photos', '/followers', '/following', '/favorites']) {
        assertRefused(await dora.get(`/api/users/${id}${rest}`), 404, 50001);
      }
      assertRefused(await dora.post(`/api/users/${id}/follow`), 404, 50001);
    }
    assert.equal(assertRead(await admin.get('/api/users/gone')).id, gone.id);
    for (const id of ['x y', 'é', 'x'.repeat(21), '%00', "a'b"]) {
      assertRefused(await dora.get(`/api/users/${encodeURIComponent(id)}`), 400, 400, ['id']);
    }
  });

  test('named by digits before that was refused are found by name where no id is theirs, and log in', async () => {
    const passwordHash = await hashPassword(password, cheapCosts);
    const user = { username: '777777', email: '7@example.org', passwordHash };
    const digits = await insertUser(gallery.deps, user);
    assert.equal((await logIn(gallery, { name: '777777', id: digits.id } as Person)).id, digits.id);
    assert.equal(assertRead(await dora.get('/api/users/777777')).id, digits.id);
    assert.equal(assertRead(await dora.get(`/api/users/${digits.id}`)).username, '777777');
  });

  test('have a list of photos that shows to each what they may see', async () => {
    const { id } = await register(gallery, 'maker').then(async (maker) => {
      const [open, closed] = [await addPhoto(maker), await addPhoto(maker, { is_public: '0' })];
      const club = await addPhoto(maker, { visibility: 'members' });
      for (const [who, ids] of [
        [maker, [open.id, closed.id, club.id]],
        [dora, [open.id, club.id]],
        [admin, [open.id, club.id]],
        [asVisitor(gallery), [open.id]],
      ] as const) {
        const page = assertRead(await who.get(`/api/users/${maker.id}/photos?sort=views&order=asc`));
        assert.deepEqual([idsIn(page), page.pagination.total], [ids, ids.length], who.name);
      }
      const all = assertRead(await admin.get(`/api/admin/photos?user_id=${maker.id}`));
      assert.deepEqual(idsIn(all), [club.id, closed.id, open.id], 'the administration shows all');
      return closed;
    });
    assertRefused(await dora.get('/api/users/maker/photos?sort=x'), 400, 400, ['sort']);
    assertRefused(await dora.get(`/api/photos/${id}`), 403, 20004);
  });

  test('have a list of albums that shows to each what they may see', async () => {
    const maker = await register(gallery, 'album_maker');
    const open = await addAlbum(maker, 'Open');
    const closed = await addAlbum(maker, 'Closed', { isPublic: false });
    const club = assertWritten(await maker.post('/api/albums', { name: 'Club', visibility: 'members' })).id;
    await addAlbum(dora, 'Not of the maker');
    for (const [who, ids] of [
      [maker, [club, closed, open]],
      [admin, [club, open]],
      [dora, [club, open]],
      [asVisitor(gallery), [open]],
    ] as const) {
      const answer = await who.get('/api/users/album_maker/albums?sort=create_time');
      const page = assertRead(answer);
      assert.deepEqual([idsIn(page), page.pagination.total], [ids, ids.length], who.name);
      assert.equal(answer.bytes.includes('Closed'), who === maker);
      assert.equal(assertRead(await who.get(`/api/users/${maker.id}`)).stats.albums, ids.length);
    }
    assertRefused(await dora.get('/api/users/album_maker/albums?sort=x'), 400, 400, ['sort']);
    assertRefused(await dora.get('/api/users/gone/albums'), 404, 50001);
  });

  test('see their favorites, the latest first, and only admins do beside them', async () => {
    const [first, second, third] = [await addPhoto(ansel), await addPhoto(ansel), await addPhoto(ansel)];
    for (const { id } of [second, first, third]) {
      assertWritten(await dora.post(`/api/photos/${id}/favorite`));
      gallery.travel(1);
    }
    const favorites = async (who: Person, query = '') =>
      assertRead(await who.get(`/api/users/${dora.id}/favorites?${query}`));
    assert.deepEqual(idsIn(await favorites(dora)), [third.id, first.id, second.id]);
    assert.deepEqual(idsIn(await favorites(dora, 'limit=1&page=2')), [first.id]);
    await ansel.put(`/api/photos/${first.id}`, { is_public: 0 });
    await ansel.delete(`/api/photos/${third.id}`);
    const page = await favorites(dora);
    assert.deepEqual([idsIn(page), page.pagination.total], [[second.id], 1]);
    assert.deepEqual(idsIn(await favorites(admin)), [second.id], 'an admin sees what every member sees');
    await ansel.put(`/api/photos/${second.id}`, { visibility: 'members' });
    for (const who of [dora, admin]) assert.deepEqual(idsIn(await favorites(who)), [second.id]);
    await ansel.post(`/api/photos/${third.id}/restore`);
    assert.deepEqual(idsIn(await favorites(dora)), [third.id, second.id]);
    assertRefused(await ansel.get(`/api/users/${dora.id}/favorites`), 403, 403);
    assertRefused(await asVisitor(gallery).get(`/api/users/${dora.id}/favorites`), 401, 401);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
