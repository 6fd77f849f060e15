import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';

describe('changing a photo', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let admin: Person;

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    admin = await registerAdmin(gallery, 'admin');
  });
  after(() => gallery.close());

  /** Reads all properties of a photo that an update can change. */
  const readState = async (id: number) => {
    const photo = assertRead(await owner.get(`/api/photos/${id}`));
    const { title, description, tags, album, visibility, is_public } = photo;
    return { title, description, tags, album, visibility, is_public };
  };
  const change = (who: Person, id: number, body: unknown) => who.put(`/api/photos/${id}`, body);
  const totalFor = async (who: Person, query: string) =>
    assertRead(await who.get(`/api/photos?${query}`)).pagination.total;

  test('an update changes the given fields only', async () => {
    const album = await addAlbum(owner, 'Lakes');
    const { id } = await addPhoto(owner, { title: 'One', description: 'First', tags: 'a,b' });
    const state = {
      title: 'One',
      description: 'First',
      tags: ['a', 'b'],
      album: null as object | null,
      visibility: 'public',
      is_public: 1,
    };
    const steps: [object, Partial<typeof state>][] = [
      [{}, {}],
      [{ title: 'Two' }, { title: 'Two' }],
      [{ title: '' }, { title: '' }],
      [{ description: 'Second\nline' }, { description: 'Second\nline' }],
      [{ tags: [' c ', 'C', '', 'd  e', '山'] }, { tags: ['c', 'd e', '山'] }],
      [{ tags: [] }, { tags: [] }],
      [{ album_id: album }, { album: { id: album, name: 'Lakes' } }],
      [{ is_public: 0 }, { visibility: 'private', is_public: 0 }],
      [{ visibility: 'members' }, { visibility: 'members' }],
      // A client that writes back what it has read changes nothing.
      [{ is_public: 0 }, {}],
      [{ visibility: 'members', is_public: 0 }, {}],
      [{ is_public: 1 }, { visibility: 'public', is_public: 1 }],
      [
        { visibility: 'private', is_public: 0 },
        { visibility: 'private', is_public: 0 },
      ],
      [{ title: 'Three' }, { title: 'Three' }],
      [{ album_id: null }, { album: null }],
      [
        { album_id: album, is_public: 1 },
        { album: { id: album, name: 'Lakes' }, visibility: 'public', is_public: 1 },
      ],
      [{ album_id: 0 }, { album: null }],
      [
        { title: '📷'.repeat(200), description: '字'.repeat(2000) },
        { title: '📷'.repeat(200), description: '字'.repeat(2000) },
      ],
    ];
    for (const [body, expected] of steps) {
      assertDone(await change(owner, id, body));
      Object.assign(state, expected);
      assert.deepEqual(await readState(id), state, JSON.stringify(body).slice(0, 80));
    }
    const max = Array.from({ length: 30 }, (_, n) => `${n}-${'é'.repeat(47 - String(n).length)}`);
    assertDone(await change(owner, id, { tags: max }));
    assert.deepEqual((await readState(id)).tags, max);
  });

  test('an invalid update names every invalid field and changes nothing', async () => {
    const { id } = await addPhoto(owner, { title: 'Sound', tags: 'kept' });
    const before = await readState(id);
    const bad: [object, string[]][] = [
      [
        { title: 't'.repeat(201), description: 'd'.repeat(2001), is_public: 2 },
        ['title', 'description', 'is_public'],
      ],
      [{ title: 'a\u0000b', description: '\udfff\ud800' }, ['title', 'description']],
      [{ title: 'fine', album_id: -1 }, ['album_id']],
      [{ title: 'fine', album_id: 1.5 }, ['album_id']],
      [{ title: 'fine', album_id: 1e300 }, ['album_id']],
      [{ title: 'fine', is_public: '1' }, ['is_public']],
      [{ title: 'fine', visibility: 'everyone' }, ['visibility']],
      [{ title: 'fine', visibility: 1 }, ['visibility']],
      [{ title: 'fine', visibility: 'members', is_public: 1 }, ['visibility', 'is_public']],
      [{ title: 'fine', visibility: 'public', is_public: 0 }, ['visibility', 'is_public']],
      [{ title: 'fine', tags: Array.from({ length: 31 }, (_, n) => `t${n}`) }, ['tags']],
      [{ title: 'fine', tags: ['x'.repeat(51)] }, ['tags']],
      [{ title: 'fine', tags: {} }, ['tags']],
    ];
    for (const [body, fields] of bad) assertRefused(await change(owner, id, body), 400, 400, fields);
    const inside = await change(owner, id, { title: 'fine', tags: ['ok', 7, 'a\u0000'] });
    assertRefused(inside, 400, 400, Object.keys(inside.body.errors));
    assert.ok(Object.keys(inside.body.errors).every((name) => name.startsWith('tags')));
    assertRefused(await change(owner, id, { title: 'fine', album_id: 999_999 }), 404, 30001);
    const theirs = await addAlbum(stranger, 'Theirs');
    assertRefused(await change(owner, id, { title: 'fine', album_id: theirs }), 403, 30002);
    assert.deepEqual(await readState(id), before);
  });

  test('allows only the owner and admins to update a photo', async () => {
    const { id } = await addPhoto(owner, { title: 'Mine' });
    assertRefused(await change(stranger, id, { title: 'Theirs' }), 403, 20004);
    assertRefused(await change(asVisitor(gallery), id, { title: 'Nobody’s' }), 401, 401);
    assertRefused(await change(owner, 999_999, { title: 'x' }), 404, 20003);
    assert.equal((await readState(id)).title, 'Mine');
    assertDone(await change(admin, id, { title: 'Moderated' }));
    assert.equal((await readState(id)).title, 'Moderated');
    assert.equal(assertRead(await owner.get(`/api/photos/${id}`)).user.id, owner.id);
  });

  test('shows it to more people for its owner alone', async () => {
    const { id } = await addPhoto(owner, { title: 'Mine', visibility: 'private' });
    for (const body of [{ visibility: 'members' }, { visibility: 'public' }, { is_public: 1 }]) {
      assertRefused(await change(admin, id, { title: 'Theirs', ...body }), 403, 20004);
    }
    for (const body of [{ visibility: 'private' }, { is_public: 0 }])
      assertDone(await change(admin, id, body));
    assertDone(await change(owner, id, { visibility: 'members' }));
    assertRefused(await change(admin, id, { visibility: 'public' }), 403, 20004);
    assert.deepEqual(await readState(id).then(({ title, visibility }) => [title, visibility]), [
      'Mine',
      'members',
    ]);
    assertDone(await change(owner, id, { visibility: 'public' }));
    for (const visibility of ['public', 'members', 'private']) {
      assertDone(await change(admin, id, { visibility }));
      assert.equal((await readState(id)).visibility, visibility);
    }
  });

  test('an update ignores fields that a user cannot change', async () => {
    const { id } = await addPhoto(owner, { title: 'Counted' });
    assertDone(
      await change(owner, id, {
        ...{ views: 9, likes: 9, user_id: stranger.id, id: 1, level: 0, size: 1, sha256: 'x' },
      }),
    );
    const photo = assertRead(await owner.get(`/api/photos/${id}`));
    assert.deepEqual(
      [photo.id, photo.title, photo.likes, photo.user.id, photo.views],
      [id, 'Counted', 0, owner.id, 1],
    );
    assert.ok(photo.size > 1);
    assert.equal(assertRead(await stranger.get(`/api/photos/${id}`)).is_public, 1);
  });

  test('an update to private hides the photo from everyone, and an update to public shows it', async () => {
    const query = 'keyword=flipflop&tag=flip';
    const { id } = await addPhoto(owner, { title: 'flipflop', tags: 'flip' });
    for (const isPublic of [0, 1, 0, 0, 1]) {
      assertDone(await change(owner, id, { is_public: isPublic }));
      for (const who of [stranger, asVisitor(gallery)]) {
        const answer = await who.get(`/api/photos/${id}`);
        if (isPublic) assertRead(answer);
        else assertRefused(answer, 403, 20004);
        for (const filter of [
          query,
          'keyword=flipflop',
          'keyword=fl',
          'tag=FLIP',
          `user_id=${owner.id}&keyword=flip`,
        ]) {
          assert.equal(await totalFor(who, filter), isPublic, filter);
        }
      }
      assert.equal(await totalFor(owner, query), 1);
      assert.equal(await totalFor(admin, query), isPublic);
      assertRead(await admin.get(`/api/photos/${id}`));
      assert.equal(await totalFor(owner, `is_public=${isPublic}&${query}`), 1);
      assert.equal(await totalFor(owner, `is_public=${1 - isPublic}&${query}`), 0);
    }
  });

  test('follows its three levels in lists, the search and the detail', async () => {
    const { id } = await addPhoto(owner, { title: 'threefold', tags: 'three' });
    const viewers = [asVisitor(gallery), stranger, admin, owner];
    for (const [visibility, totals] of [
      ['members', [0, 1, 1, 1]],
      ['private', [0, 0, 0, 1]],
      ['members', [0, 1, 1, 1]],
      ['public', [1, 1, 1, 1]],
      ['private', [0, 0, 0, 1]],
      ['public', [1, 1, 1, 1]],
      ['members', [0, 1, 1, 1]],
    ] as const) {
      assertDone(await change(owner, id, { visibility }));
      for (const query of ['keyword=threefold', 'keyword=th', 'tag=THREE', 'q=tag:three threefold']) {
        const found = await Promise.all(viewers.map((who) => totalFor(who, query)));
        assert.deepEqual(found, totals, `${visibility} ${query}`);
      }
      for (const [n, who] of viewers.entries()) {
        const answer = await who.get(`/api/photos/${id}`);
        if (totals[n] === 1 || who === admin) assertRead(answer);
        else assertRefused(answer, 403, 20004);
      }
    }
  });

  test('into a private album hides it, and out of it keeps it hidden until its owner shows it', async () => {
    const album = await addAlbum(owner, 'Closed', { isPublic: false });
    const { id } = await addPhoto(owner, { title: 'wanderer' });
    assertDone(await change(owner, id, { album_id: album }));
    assert.equal(await totalFor(stranger, 'keyword=wanderer'), 0);
    assertRefused(await stranger.get(`/api/photos/${id}`), 403, 20004);
    assertRefused(await stranger.get(`/api/photos?album_id=${album}`), 403, 30002);
    assert.equal(await totalFor(owner, `album_id=${album}`), 1);
    assertDone(await change(owner, id, { title: 'wanderer still hidden' }));
    assert.equal(await totalFor(stranger, 'keyword=wanderer'), 0);
    assert.equal((await readState(id)).visibility, 'public');
    assertDone(await change(owner, id, { album_id: null }));
    assert.equal((await readState(id)).visibility, 'private');
    assert.equal(await totalFor(stranger, 'keyword=wanderer'), 0);
    assertRefused(await stranger.get(`/api/photos/${id}`), 403, 20004);
    assertDone(await change(owner, id, { visibility: 'public' }));
    assert.equal(await totalFor(stranger, 'keyword=wanderer'), 1);
  });

  test('out of an album for members keeps it for members, and names a level at once for its owner alone', async () => {
    const [album, open] = [
      await addAlbum(owner, 'Club', { visibility: 'members' }),
      await addAlbum(owner, 'Open'),
    ];
    const add = async (title: string) => (await addPhoto(owner, { title, album_id: String(album) })).id;
    const [moved, widened, narrowed] = [await add('rover'), await add('rover'), await add('rover')];
    assert.deepEqual(
      await Promise.all([asVisitor(gallery), stranger].map((who) => totalFor(who, 'keyword=rover'))),
      [0, 3],
    );
    assertDone(await change(admin, moved, { album_id: open }));
    assertRefused(
      await change(admin, narrowed, { album_id: null, visibility: 'public', title: 'x' }),
      403,
      20004,
    );
    assertDone(await change(owner, widened, { album_id: open, visibility: 'public' }));
    assertDone(await change(admin, narrowed, { album_id: null, visibility: 'private' }));
    const states = await Promise.all([moved, widened, narrowed].map(readState));
    assert.deepEqual(
      states.map(({ visibility, album }) => [visibility, album?.id]),
      [
        ['members', open],
        ['public', open],
        ['private', undefined],
      ],
    );
    assert.deepEqual(
      await Promise.all([asVisitor(gallery), stranger].map((who) => totalFor(who, 'keyword=rover'))),
      [1, 2],
    );
  });

  test('moves it to the front of update_time', async () => {
    const [old, young] = [await addPhoto(owner, { title: 'old' }), await addPhoto(owner, { title: 'young' })];
    gallery.travel(10);
    await change(owner, old.id, { description: 'touched' });
    const { list } = assertRead(await owner.get('/api/photos?sort=update_time&limit=100'));
    const ids = list.map(({ id }: { id: number }) => id);
    assert.ok(ids.indexOf(old.id) < ids.indexOf(young.id));
  });

  test('many simultaneous updates leave the state of one update', async () => {
    const { id } = await addPhoto(owner, { title: 'raced', tags: 'raced' });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        change(owner, id, { title: `raced ${n}`, tags: [`raced-${n}`], is_public: n % 2 }),
      ),
    );
    for (const answer of answers) assertDone(answer);
    const { title, tags, is_public } = await readState(id);
    const n = Number(title.split(' ')[1]);
    assert.deepEqual([tags, is_public], [[`raced-${n}`], n % 2]);
    assert.equal(await totalFor(owner, `tag=raced-${n}&keyword=raced`), 1);
    assert.equal(await totalFor(stranger, `keyword=raced ${n}`), n % 2);
    assert.equal(await totalFor(owner, `tag=raced-${(n + 1) % 12}`), 0);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
