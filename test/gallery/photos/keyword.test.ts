import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertDone, assertRead, assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

const titles = {
  latin: 'Golden Gate at Dawn',
  accents: 'Crème brûlée, Übermut',
  sharp: 'Große Straße',
  chinese: '黄山日出云海',
  japanese: '富士山のカメラ',
  korean: '서울의 밤',
  cyrillic: 'Москва Река',
  greek: 'Ελλάς ΟΔΟΣ',
  arabic: 'صورة جميلة',
  hindi: 'नमस्ते दुनिया',
  emoji: 'Party 🎉👩‍👩‍👧 time',
  percent: '100% wool_len "quoted" it’s',
  syntax: "a AND b* OR (c) NEAR/2 col:x ^y -z 'q' \\ end",
  single: 'q',
} as const;
type Name = keyof typeof titles;

describe('keyword', () => {
  let gallery: Gallery;
  let owner: Person;
  let stranger: Person;
  let admin: Person;
  let picture: Buffer;
  const names = new Map<number, Name>();

  before(async () => {
    gallery = await startGallery();
    owner = await register(gallery, 'owner');
    stranger = await register(gallery, 'stranger');
    admin = await registerAdmin(gallery, 'admin');
    picture = await createJpeg({ width: 16, height: 16 });
    for (const [name, title] of Object.entries(titles)) {
      names.set((await addPhoto(owner, { title }, picture)).id, name as Name);
    }
  });
  after(() => gallery.close());

  const search = async (keyword: string, who: Person = asVisitor(gallery), more = '') => {
    const { list, pagination } = assertRead(
      await who.get(`/api/photos?limit=100&keyword=${encodeURIComponent(keyword)}${more}`),
    );
    assert.equal(pagination.total, list.length, keyword);
    return list.map(({ id }: { id: number }) => id) as number[];
  };
  const found = async (keyword: string) => (await search(keyword)).map((id) => names.get(id)).sort();

  test('a keyword finds substrings of one, two, three and more characters in any script', async () => {
    const cases: [string, Name[]][] = [
      ['gold', ['latin']],
      ['olde', ['latin']],
      ['ga', ['latin']],
      ['n g', ['latin']],
      ['Golden Gate at Dawn', ['latin']],
      ['Golden Gate at Dawns', []],
      ['黄', ['chinese']],
      ['日出', ['chinese']],
      ['山日出', ['chinese']],
      ['出日', []],
      ['黄出', []],
      ['山', ['chinese', 'japanese']],
      ['富士', ['japanese']],
      ['山のカ', ['japanese']],
      ['メラ', ['japanese']],
      ['서울', ['korean']],
      ['밤', ['korean']],
      ['ск', ['cyrillic']],
      ['река', ['cyrillic']],
      ['сква ре', ['cyrillic']],
      ['جميلة', ['arabic']],
      ['صو', ['arabic']],
      ['दु', ['hindi']],
      ['नमस्ते', ['hindi']],
      ['🎉', ['emoji']],
      ['y 🎉', ['emoji']],
      ['👩‍👩‍👧', ['emoji']],
      ['🎈', []],
      ['q', ['percent', 'single', 'syntax']],
    ];
    for (const [keyword, expected] of cases) assert.deepEqual(await found(keyword), expected, keyword);
  });

  test('a keyword ignores case in any script', async () => {
    const cases: [string[], Name][] = [
      [['golden gate', 'GOLDEN GATE', 'gOLDEN gATE'], 'latin'],
      [['CRÈME', 'crème', 'ÜBER', 'über', 'ÛL'], 'accents'],
      [['GROSSE', 'große', 'STRASSE', 'straße', 'SS'], 'sharp'],
      [['МОСКВА', 'москва', 'МоСк', 'ва РЕ'], 'cyrillic'],
      [['ΕΛΛΆΣ', 'ελλάς', 'οδοσ', 'ΟΔΟΣ', 'οδος'], 'greek'],
    ];
    for (const [keywords, name] of cases) {
      for (const keyword of keywords) assert.ok((await found(keyword)).includes(name), keyword);
    }
    // The search finds the same characters in another Unicode composition.
    assert.deepEqual(await found('cre\u0300me'), ['accents']);
  });

  test('a keyword treats %, _, quotes and search syntax as ordinary characters', async () => {
    const cases: [string, Name[]][] = [
      ['%', ['percent']],
      ['0%', ['percent']],
      ['100%', ['percent']],
      ['%%', []],
      ['1%0', []],
      ['_', ['percent']],
      ['l_l', ['percent']],
      ['wool_len', ['percent']],
      ['woolXlen', []],
      ['w__l', []],
      ['"', ['percent']],
      ['"quoted"', ['percent']],
      ['"gold', []],
      ["'", ['percent', 'syntax']],
      ['’', ['percent', 'syntax']],
      ["'q'", ['syntax']],
      ["' OR '1'='1", []],
      ["'; DROP TABLE photos;--", []],
      ['") OR 1=1--', []],
      ['\\', ['syntax']],
      ['\\ e', ['syntax']],
      ['*', ['syntax']],
      ['b*', ['syntax']],
      ['gol*', []],
      ['a AND b', ['syntax']],
      ['Golden AND Dawn', []],
      ['golden OR nothing', []],
      ['NEAR/2', ['syntax']],
      ['col:', ['syntax']],
      ['title:golden', []],
      ['^y', ['syntax']],
      ['^g', []],
      ['-z', ['syntax']],
      ['(c)', ['syntax']],
      ['(((', []],
      ['[a-z]', []],
      ['&|!:*', []],
      ['/*', []],
    ];
    for (const [keyword, expected] of cases) assert.deepEqual(await found(keyword), expected, keyword);
  });

  test('a keyword ignores surrounding spaces, and a keyword of spaces filters nothing', async () => {
    assert.deepEqual(await found('  golden '), ['latin']);
    for (const keyword of ['', '   ']) assert.equal((await search(keyword)).length, names.size);
  });

  test('a keyword must be a text of limited length', async () => {
    for (const keyword of ['a'.repeat(101), '%'.repeat(1000), '\u0000', 'a\u0000b', '\u0007']) {
      const answer = await owner.get(`/api/photos?keyword=${encodeURIComponent(keyword)}`);
      assertRefused(answer, 400, 400, ['keyword']);
    }
    assert.deepEqual(await search('📷'.repeat(100)), []);
    assert.deepEqual(await search('a'.repeat(100)), []);
  });

  test('a keyword matches within title, description or tags, never across two of them', async () => {
    const fields = { title: 'xylo', description: 'phone, second line', tags: 'zither,Bağlama' };
    const { id } = await addPhoto(owner, fields, picture);
    for (const keyword of ['xylo', 'XY', 'phone', 'second', 'e, s', 'zith', 'zi', 'BAĞ', 'lama']) {
      assert.deepEqual(await search(keyword), [id], keyword);
    }
    for (const keyword of ['xylophone', 'lop', 'op', 'linez', 'zitherb', 'rba', 'zither,', 'photo.jpg']) {
      assert.ok(!(await search(keyword)).includes(id), keyword);
    }
    assertDone(await owner.delete(`/api/photos/${id}`));
  });

  test('a keyword finds changed texts at once', async () => {
    const { id } = await addPhoto(owner, { title: 'Chameleon', tags: 'кот' }, picture);
    const change = async (body: object) => assertDone(await owner.put(`/api/photos/${id}`, body));
    assert.deepEqual(await search('chameleon'), [id]);
    await change({ title: 'Kaleidoscope' });
    for (const keyword of ['chameleon', 'ch', 'cham'])
      assert.ok(!(await search(keyword)).includes(id), keyword);
    for (const keyword of ['kaleido', 'KA', 'кот']) assert.deepEqual(await search(keyword), [id], keyword);
    await change({ tags: ['пёс'], description: '万花筒' });
    assert.deepEqual(await search('кот'), []);
    for (const keyword of ['пёс', 'ПЁ', '万花', '万花筒'])
      assert.deepEqual(await search(keyword), [id], keyword);

    await change({ is_public: 0 });
    for (const keyword of ['kaleidoscope', 'ei', '万花', '筒']) {
      for (const who of [asVisitor(gallery), stranger]) {
        assert.ok(!(await search(keyword, who)).includes(id), keyword);
        assert.ok(!(await search(keyword, who, `&user_id=${owner.id}`)).includes(id), keyword);
      }
      for (const filter of ['', '&sort=title&order=asc', `&user_id=${owner.id}`]) {
        assert.deepEqual(await search(keyword, owner, filter), [id], keyword);
        assert.deepEqual(await search(keyword, admin, filter), [], keyword);
      }
      const path = `/api/admin/photos?keyword=${encodeURIComponent(keyword)}`;
      for (const filter of ['', `&user_id=${owner.id}`]) {
        const { list, pagination } = assertRead(await admin.get(path + filter));
        assert.deepEqual([list.map((one: { id: number }) => one.id), pagination.total], [[id], 1], path);
      }
      assert.deepEqual(await search(keyword, owner, '&is_public=0'), [id]);
      assert.deepEqual(await search(keyword, owner, '&is_public=1'), []);
    }
    await change({ visibility: 'members' });
    for (const keyword of ['kaleidoscope', 'ei', '万花', '筒']) {
      assert.deepEqual(await search(keyword), [], keyword);
      for (const who of [owner, stranger, admin]) {
        for (const filter of ['', '&sort=title&order=asc', `&user_id=${owner.id}`]) {
          assert.deepEqual(await search(keyword, who, filter), [id], `${who.name} ${keyword}${filter}`);
        }
        assert.deepEqual(await search(keyword, who, `&user_id=${admin.id}`), [], keyword);
      }
      assert.deepEqual(await search(keyword, owner, '&is_public=0'), [id]);
      assert.deepEqual(await search(keyword, owner, '&is_public=1'), []);
    }
    await change({ is_public: 1, title: 'Kaleidoscope again' });
    assert.deepEqual(await search('scope again'), [id]);
    assertDone(await owner.delete(`/api/photos/${id}`));
    for (const who of [asVisitor(gallery), owner, admin]) {
      for (const keyword of ['kaleidoscope', 'ei', '万花', '筒'])
        assert.deepEqual(await search(keyword, who), []);
    }
  });

  test('a keyword combines with the other filters', async () => {
    const [one, two] = [
      await addPhoto(owner, { title: 'duet part', tags: 'violin' }, picture),
      await addPhoto(stranger, { title: 'duet part', tags: 'cello' }, picture),
    ];
    assert.deepEqual(await search('duet', undefined, '&order=asc'), [one.id, two.id]);
    assert.deepEqual(await search('duet', undefined, '&tag=cello'), [two.id]);
    assert.deepEqual(await search('du', undefined, `&user_id=${owner.id}`), [one.id]);
    assert.deepEqual(await search('duet', undefined, `&user_id=${owner.id}&tag=cello`), []);
    const today = new Date(gallery.deps.clock() * 1000).toISOString().slice(0, 10);
    assert.equal((await search('duet', undefined, `&date_from=${today}`)).length, 2);
    assert.deepEqual(await search('duet', undefined, '&date_to=2020-01-01'), []);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});
