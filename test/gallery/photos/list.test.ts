import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { assertRead, assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { setPhoto } from '../../support/photo-counters.ts';
import { createJpeg } from '../../support/pictures.ts';

/** Number of photos: more than two pages of twenty, so that paging reaches each end from both sides. */
const many = 45;

interface Item {
  id: number;
  title: string;
}

describe('the photo list', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let admin: Person;
  let album: number;
  let ids: number[];

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    admin = await registerAdmin(gallery, 'admin');
    album = await addAlbum(owner, 'Album');
    const picture = await createJpeg({ width: 40, height: 30 });
    ids = [];
    for (let n = 0; n < many; n++) {
      const fields = {
        title: `Title ${n % 5}`,
        tags: n % 2 ? 'odd' : 'even',
        ...(n < 7 && { album_id: String(album) }),
      };
      ids.push((await addPhoto(owner, fields, picture)).id);
    }
    for (const [n, id] of ids.entries()) {
      // Uses few different values, so that most photos have neighbors with equal values.
      const counts = { views: n % 3, likes: n % 4, favorites: n % 2, downloads: 5 };
      const same = { ...counts, size: 100 + (n % 6), taken_time: n % 2 };
      const times = { create_time: 1_700_000_000 + (n % 3) * 86_400, update_time: 1_700_000_000 - (n % 5) };
      await setPhoto(gallery.deps.db.kysely, id, { ...same, ...times });
      const { create_time } = times;
      await gallery.deps.db.kysely
        .updateTable('photo_tags')
        .set({ create_time })
        .where('photo_id', '=', id)
        .execute();
    }
  });
  after(() => gallery.close());

  const list = async (query: string, who: Person = asVisitor(gallery)) =>
    assertRead(await who.get(`/api/photos?${query}`));
  const readIds = async (query: string, who?: Person): Promise<number[]> =>
    (await list(query, who)).list.map(({ id }: Item) => id);

  test('the photo list has exactly these fields, the newest photo first, and twenty photos a page', async () => {
    const data = await list('');
    assert.deepEqual(Object.keys(data), ['list', 'pagination']);
    assert.deepEqual(data.pagination, { page: 1, limit: 20, total: many, pages: 3 });
    assert.equal(data.list.length, 20);
    for (const item of data.list) {
      const { id, title, thumb, placeholder, views, likes, favorites, comments, ...others } = item;
      const { create_time, update_time, taken_time, preview, image, ...rest } = others;
      assert.deepEqual(rest, {
        user: { id: owner.id, username: 'owner', nickname: '', avatar: '' },
        is_liked: false,
        is_favorited: false,
        visibility: 'public',
        is_public: 1,
        effective_visibility: 'public',
        width: 40,
        height: 30,
      });
      assert.ok(ids.includes(id) && /^Title \d$/.test(title));
      assert.match(thumb, /^\/storage\/[0-9a-f]{32}\.thumb\.webp$/);
      assert.equal(preview, thumb.replace('thumb.webp', 'preview.jpg'));
      assert.equal(image, thumb.replace('thumb.webp', 'w{width}.webp'));
      assert.match(create_time, /^2023-11-1[4-6] 22:13:20$/);
      assert.match(update_time, /^2023-11-14 22:13:(20|1[6-9])$/);
      assert.match(taken_time, /^1970-01-01 00:00:0[01]$/);
      assert.ok(placeholder.length > 0);
      for (const count of [views, likes, favorites, comments]) assert.ok(Number.isInteger(count));
    }
    assert.deepEqual(data, await list('page=1&limit=20&sort=create_time&order=desc'));
  });

  const values: Record<string, (n: number) => number> = {
    create_time: (n) => n % 3,
    update_time: (n) => -(n % 5),
    taken_time: (n) => n % 2,
    views: (n) => n % 3,
    likes: (n) => n % 4,
    favorites: (n) => n % 2,
    downloads: () => 5,
    size: (n) => n % 6,
    title: (n) => n % 5,
  };

  for (const [sort, value] of Object.entries(values)) {
    test(`sorts the photo list by ${sort}, and equal values by id in the same direction, on every page`, async () => {
      const ascending = [...ids.keys()]
        .sort((a, b) => value(a) - value(b) || ids[a]! - ids[b]!)
        .map((n) => ids[n]!);
      for (const order of ['asc', 'desc']) {
        const expected = order === 'asc' ? ascending : ascending.toReversed();
        assert.deepEqual(await readIds(`sort=${sort}&order=${order}&limit=100`), expected);
        for (const limit of [1, 7, 20, 22, 23, 44]) {
          const pages = Math.ceil(many / limit);
          // Reads the pages at both ends, and around the middle, where the reading direction turns.
          const middle = Math.ceil(pages / 2);
          for (const page of new Set([1, middle, middle + 1, pages - 1, pages, pages + 1])) {
            if (page < 1) continue;
            const { list: items, pagination } = await list(
              `sort=${sort}&order=${order}&limit=${limit}&page=${page}`,
            );
            const slice = expected.slice((page - 1) * limit, page * limit);
            assert.deepEqual(
              items.map(({ id }: Item) => id),
              slice,
              `${order}, page ${page} of ${limit}`,
            );
            assert.deepEqual(pagination, { page, limit, total: many, pages });
          }
        }
      }
    });
  }

  test('a page after the last page of the photo list is empty', async () => {
    for (const page of [4, 1000, 1_000_000_000]) {
      const { list: items, pagination } = await list(`page=${page}`);
      assert.deepEqual([items, pagination], [[], { page, limit: 20, total: many, pages: 3 }]);
    }
    const none = await list('keyword=nothing-like-it');
    assert.deepEqual([none.list, none.pagination], [[], { page: 1, limit: 20, total: 0, pages: 0 }]);
    assertRefused(await owner.get('/api/photos?page=1000000001'), 400, 400, ['page']);
  });

  test('the photo list reduces a limit above 100 to 100, and the response says so', async () => {
    for (const limit of ['101', '5000', '2147483648', '9007199254740991']) {
      const { list: items, pagination } = await list(`limit=${limit}`);
      assert.equal(items.length, many);
      assert.deepEqual(pagination, { page: 1, limit: 100, total: many, pages: 1 });
    }
    assert.deepEqual((await list('limit=100000&page=2')).list, []);
  });

  test('the photo list names unknown values of its parameters', async () => {
    const sorts = [
      'id',
      'password',
      'user_id',
      'CREATE_TIME',
      'create_time--',
      '1',
      '(SELECT 1)',
      'title_key',
      'rowid',
    ];
    for (const sort of sorts) {
      assertRefused(await owner.get(`/api/photos?sort=${encodeURIComponent(sort)}`), 400, 400, ['sort']);
    }
    for (const order of ['DESC', 'up', 'asc;', 'asc, id desc', '1']) {
      assertRefused(await owner.get(`/api/photos?order=${encodeURIComponent(order)}`), 400, 400, ['order']);
    }
    for (const value of ['0', '-1', '1.5', '1e1', 'abc', 'NaN', '0x7f', '1,2']) {
      const query = `page=${value}&limit=${value}&album_id=${value === '0' ? -1 : value}&user_id=${value}`;
      assertRefused(await owner.get(`/api/photos?${query}`), 400, 400, [
        'page',
        'limit',
        'album_id',
        'user_id',
      ]);
    }
    // A number too large for a page or an id is refused. A limit of any size is served as 100.
    const large = '9223372036854775808';
    assertRefused(await owner.get(`/api/photos?page=${large}&limit=${large}&user_id=${large}`), 400, 400, [
      'page',
      'user_id',
    ]);
    assert.equal((await list(`limit=${large}`)).pagination.limit, 100);
    for (const day of ['2023-02-29', '2023-13-01', '2023-1-1', '20231114', 'now()', '2023-11-14T00:00:00Z']) {
      const query = `date_from=${encodeURIComponent(day)}&date_to=${encodeURIComponent(day)}`;
      assertRefused(await owner.get(`/api/photos?${query}`), 400, 400, ['date_from', 'date_to']);
    }
  });

  test('filters the photo list by album', async () => {
    const expected = ids.slice(0, 7);
    for (const who of [asVisitor(gallery), stranger, owner, admin]) {
      assert.deepEqual(
        (await readIds(`album_id=${album}&limit=100`, who)).sort((a, b) => a - b),
        expected,
      );
    }
    const closed = await addAlbum(owner, 'Closed', { isPublic: false });
    for (const who of [asVisitor(gallery), stranger]) {
      assertRefused(await who.get(`/api/photos?album_id=${closed}`), 403, 30002);
      assertRefused(await who.get('/api/photos?album_id=999999'), 404, 30001);
    }
    for (const who of [owner, admin]) assert.deepEqual(await readIds(`album_id=${closed}`, who), []);
  });

  test('filters the photo list by days, including both days', async () => {
    for (const [query, days] of [
      ['date_from=2023-11-14', [0, 1, 2]],
      ['date_from=2023-11-15', [1, 2]],
      ['date_to=2023-11-14', [0]],
      ['date_from=2023-11-15&date_to=2023-11-15', [1]],
      ['date_from=2023-11-16&date_to=2023-11-14', []],
      ['date_from=2023-11-17', []],
      ['date_to=9999-12-31', [0, 1, 2]],
      ['date_from=0001-01-01&date_to=2023-11-13', []],
    ] as const) {
      const expected = ids.filter((_, n) => (days as readonly number[]).includes(n % 3));
      assert.deepEqual(
        (await readIds(`${query}&limit=100`)).sort((a, b) => a - b),
        expected,
        query,
      );
    }
  });

  test('filters the photo list by whole tags, in any case', async () => {
    for (const tag of ['odd', 'ODD', 'Odd', '%20odd%20']) {
      const expected = ids.filter((_, n) => n % 2 === 1);
      assert.deepEqual(
        (await readIds(`tag=${tag}&limit=100`)).sort((a, b) => a - b),
        expected,
        tag,
      );
    }
    for (const tag of ['od', 'oddity', '%25', '_dd', "odd'", 'od%00'.slice(0, 2)]) {
      assert.deepEqual(await readIds(`tag=${tag}`), [], tag);
    }
  });

  test("is_public filters the caller's own photos and reveals no private photos of others", async () => {
    const hidden = await addPhoto(owner, { title: 'hidden', is_public: '0' });
    try {
      for (const value of ['0', '1']) {
        assert.deepEqual(await readIds(`is_public=${value}`, stranger), []);
        assert.deepEqual(await readIds(`is_public=${value}&user_id=${stranger.id}`, owner), []);
      }
      assertRefused(await asVisitor(gallery).get('/api/photos?is_public=0'), 401, 401);
      assert.deepEqual(await readIds(`is_public=0&user_id=${owner.id}`, stranger), []);
      for (const [who, query] of [
        [asVisitor(gallery), 'is_public=1'],
        [asVisitor(gallery), `is_public=1&user_id=${owner.id}`],
        [stranger, `is_public=1&user_id=${owner.id}`],
      ] as const) {
        assert.equal((await list(query, who)).pagination.total, many);
      }
      assert.deepEqual(await readIds('is_public=0', owner), [hidden.id]);
      assert.deepEqual(await readIds(`is_public=0&user_id=${owner.id}`, owner), [hidden.id]);
      assert.deepEqual(await readIds(`is_public=0&user_id=${owner.id}`, admin), []);
      assert.equal((await list('is_public=1', owner)).pagination.total, many);
      for (const [who, total] of [
        [asVisitor(gallery), many],
        [stranger, many],
        [owner, many + 1],
        [admin, many],
      ] as const) {
        assert.equal((await list('', who)).pagination.total, total);
        assert.equal((await list(`user_id=${owner.id}`, who)).pagination.total, total);
        assert.equal((await readIds('limit=100', who)).includes(hidden.id), total > many);
      }
    } finally {
      await owner.delete(`/api/photos/${hidden.id}`);
    }
  });

  test('the photo list hides a private photo even if its counters are marked as public', async () => {
    const hidden = await addPhoto(owner, { is_public: '0' });
    for (const table of ['photo_views', 'photo_counts']) {
      await sql`UPDATE ${sql.table(table)} SET visibility = 2 WHERE photo_id = ${hidden.id}`.execute(
        gallery.deps.db.kysely,
      );
    }
    try {
      for (const sort of ['views', 'downloads', 'likes', 'favorites']) {
        for (const who of [asVisitor(gallery), stranger]) {
          assert.ok(!(await readIds(`sort=${sort}&limit=100`, who)).includes(hidden.id), sort);
          assert.ok(!(await readIds(`sort=${sort}&limit=100&user_id=${owner.id}`, who)).includes(hidden.id));
        }
      }
    } finally {
      await owner.delete(`/api/photos/${hidden.id}`);
    }
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
