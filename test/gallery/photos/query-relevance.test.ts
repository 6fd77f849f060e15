/** Tests the order by relevance, and what an empty result of a search says. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addAlbum, addPhoto, asVisitor, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

describe('relevance and empty results', () => {
  let gallery: Gallery;
  let ann: Person;
  let bea: Person;
  let visitor: Person;
  const idByTitle = new Map<string, number>();
  before(async () => {
    gallery = await startGallery({}, { isIdle: true });
    [ann, bea] = [await register(gallery, 'ann'), await register(gallery, 'bea')];
    visitor = asVisitor(gallery);
    const picture = await createJpeg({ width: 20, height: 20 });
    const photos: [string, string, string][] = [
      ['Terrace', 'A café in the sun', ''],
      ['Menu', 'the cafe by the sea', 'paper'],
      ['Corner', '', 'café'],
      ['Cafe at night', '', 'street'],
      ['CAFÉ CRÈME', '', 'cup'],
      ['Harbour', 'boats', 'sea'],
    ];
    const times = new Date(Date.UTC(2026, 0, 1)).getTime() / 1000;
    for (const [place, [title, description, tags]] of photos.entries()) {
      const { id } = await addPhoto(ann, { title, description, tags }, picture);
      idByTitle.set(title, id);
      const create_time = times + place * 86_400;
      await gallery.deps.db.kysely.updateTable('photos').set({ create_time }).where('id', '=', id).execute();
    }
    const album = await addAlbum(bea, 'Secret', { visibility: 'private' });
    await addPhoto(bea, { title: 'Hidden lagoon', tags: 'reef', album_id: String(album) }, picture);
  });
  after(() => gallery.close());

  const ask = async (who: Person, query: Record<string, string | number>) =>
    assertRead(await who.get(`/api/photos?${new URLSearchParams(query as Record<string, string>)}`));
  const titles = ({ list }: { list: { title: string }[] }) => list.map(({ title }) => title);

  const byRelevance: [string, string[]][] = [
    // The word as typed in the title, the title without accents, the word as typed elsewhere, the rest.
    ['café', ['CAFÉ CRÈME', 'Cafe at night', 'Corner', 'Terrace', 'Menu']],
    ['cafe', ['Cafe at night', 'CAFÉ CRÈME', 'Menu', 'Corner', 'Terrace']],
    ['CAFÉ', ['CAFÉ CRÈME', 'Cafe at night', 'Corner', 'Terrace', 'Menu']],
    ['café night', ['Cafe at night']],
    ['café -tag:cup', ['Cafe at night', 'Corner', 'Terrace', 'Menu']],
    ['cafe OR boats', ['Cafe at night', 'CAFÉ CRÈME', 'Harbour', 'Menu', 'Corner', 'Terrace']],
    ['sea', ['Harbour', 'Menu']],
    ['tag:sea', ['Harbour']],
  ];
  test('relevance puts titles before other texts, and words as typed before words without accents', async () => {
    for (const [q, expected] of byRelevance) {
      const found = await ask(visitor, { q, sort: 'relevance' });
      assert.deepEqual(titles(found), expected, q);
      assert.equal(found.pagination.total, expected.length, q);
      const reversed = await ask(visitor, { q, sort: 'relevance', order: 'asc' });
      assert.deepEqual(titles(reversed), expected.toReversed(), `${q} in reverse`);
    }
  });

  test('pages and the page around a photo follow the order by relevance', async () => {
    for (const order of ['desc', 'asc'] as const) {
      const expected = order === 'desc' ? byRelevance[1]![1] : byRelevance[1]![1].toReversed();
      const paged = [];
      for (const page of [1, 2, 3])
        paged.push(...titles(await ask(visitor, { q: 'cafe', sort: 'relevance', order, limit: 2, page })));
      assert.deepEqual(paged, expected);
      for (const [place, title] of expected.entries()) {
        const around = idByTitle.get(title)!;
        const found = await ask(visitor, { q: 'cafe', sort: 'relevance', order, limit: 2, around });
        assert.equal(found.pagination.page, Math.floor(place / 2) + 1, title);
        assert.ok(titles(found).includes(title), title);
      }
    }
    assert.deepEqual(titles(await ask(visitor, { q: 'cafe', sort: 'relevance', page: 9 })), []);
    const other = `/api/photos?q=cafe&sort=relevance&around=${idByTitle.get('Harbour')}`;
    assertRefused(await visitor.get(other), 404, 20003);
  });

  test('relevance is refused without a query', async () => {
    for (const query of ['sort=relevance', 'sort=relevance&q=%20', 'sort=relevance&keyword=cafe'])
      assertRefused(await visitor.get(`/api/photos?${query}`), 400, 400, ['sort']);
  });

  const emptyResults: [string, string[], string | undefined][] = [
    ['cafe moon', ['words cafe', 'words moon'], 'cafe'],
    ['moon cafe', ['words moon', 'words cafe'], 'cafe'],
    ['moon', ['words moon'], undefined],
    ['cafe night moon', ['words cafe', 'words night', 'words moon'], 'cafe night'],
    ['moon comet cafe', ['words moon', 'words comet', 'words cafe'], 'cafe'],
    ['cafe taken:1850', ['words cafe', 'taken 1850'], 'cafe'],
    ['cafe 1850', ['words cafe', 'words 1850 taken 1850'], 'cafe'],
    ['cafe 1850年5月', ['words cafe', 'words 1850年5月 taken 1850-05'], 'cafe'],
    ['-cafe -tag:sea', ['-words cafe', '-tag sea'], undefined],
    ['moon -cafe', ['words moon', '-words cafe'], undefined],
    ['harbour -boats', ['words harbour', '-words boats'], 'harbour'],
    ['(moon OR comet) cafe', ['group (moon OR comet)', 'words cafe'], 'cafe'],
    ['moon OR comet', ['group moon OR comet'], undefined],
    ['"cafe moon" cup', ['words cafe moon', 'words cup'], 'cup'],
    ['tag:"old town" cup', ['tag old town', 'words cup'], 'cup'],
    ['Paris - Louvre', ['words Paris', 'words Louvre'], undefined],
    [
      'a b c d e f g h i j k cafe',
      'abcdefghijk'
        .split('')
        .map((letter) => `words ${letter}`)
        .concat('words cafe'),
      undefined,
    ],
  ];
  test('an empty result says what was searched, and names a query that finds photos', async () => {
    for (const [q, terms, nearest] of emptyResults) {
      const found = await ask(visitor, { q, tag: q === 'Paris - Louvre' ? 'none' : '' });
      assert.equal(found.pagination.total, 0, q);
      const described = found.understood.map(
        (term: { field: string; value: string; is_excluded: boolean; taken?: string }) =>
          `${term.is_excluded ? '-' : ''}${term.field} ${term.value}${term.taken ? ` taken ${term.taken}` : ''}`,
      );
      assert.deepEqual(described, terms, q);
      assert.equal(found.nearest, nearest, q);
      if (nearest) assert.ok((await ask(visitor, { q: nearest })).pagination.total > 0, nearest);
    }
  });

  test('a result with photos, and a list without a query, have no explanation', async () => {
    for (const query of [
      { q: 'cafe' },
      { tag: 'none' },
      { q: 'cafe', page: '9' },
      { q: ' ', tag: 'none' },
    ] as Record<string, string>[]) {
      const found = await ask(visitor, query);
      assert.ok(!('understood' in found) && !('nearest' in found), JSON.stringify(query));
    }
  });

  test('the nearest query tells nothing of photos that the caller cannot see', async () => {
    for (const q of ['lagoon cloud', 'reef cloud', 'secret cloud', 'tag:reef cloud']) {
      assert.equal((await ask(visitor, { q })).nearest, undefined, q);
      assert.equal((await ask(ann, { q })).nearest, undefined, q);
      assert.equal((await ask(bea, { q })).nearest, q.replace(' cloud', ''), q);
    }
    const ofBea = assertRead(await ann.get('/api/users/bea/photos?q=cafe+night+moon'));
    assert.equal(ofBea.nearest, undefined);
  });

  test('a smart album and the photos of a user explain an empty result as well', async () => {
    const { id } = assertWritten(await ann.post('/api/albums', { name: 'Cups', rule: 'tag:cup' }));
    const found = assertRead(await ann.get(`/api/albums/${id}/photos?q=crème+moon`));
    assert.equal(found.nearest, 'crème');
    assert.equal(assertRead(await visitor.get('/api/users/ann/photos?q=boats+moon')).nearest, 'boats');
  });
});
