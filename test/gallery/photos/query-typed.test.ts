/** Tests texts that people type or paste into the search field: each is answered, and finds what it names. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRead } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { addPhoto, type Person, register } from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';

const url = 'https://example.org/photos?id=12&name="A-B"#(top)';
const longUrl = `https://example.org/${'path/segment-'.repeat(12)}end`;
const titles = [
  ...['Paris - Louvre', 'Louvre in Paris', 'IMG (1).jpg', 'IMG (2).jpg', 'Re:Zero', '12" vinyl', '7" single'],
  ...[
    'salt and pepper',
    '50% off',
    'C++ meetup',
    '#sunset',
    'mail @ann',
    'Happy :)',
    'f(x) = 2',
    'AT&T tower',
  ],
  ...['12:30 lunch', 'this OR that', 'ha ha', 'hahahahahahahahahahahahahaha', 'New York skyline'],
  ...['Rom, Italien', '東京タワー', '我的“家”', '日落 海边'],
];

describe('typed searches', () => {
  let gallery: Gallery;
  let ann: Person;
  before(async () => {
    gallery = await startGallery({}, { isIdle: true });
    ann = await register(gallery, 'ann');
    const picture = await createJpeg({ width: 20, height: 20 });
    for (const title of titles) await addPhoto(ann, { title, tags: 'new york' }, picture);
    await addPhoto(ann, { title: 'pasted', description: `${url} ${longUrl}` }, picture);
  });
  after(() => gallery.close());

  async function find(q: string): Promise<string[]> {
    const { list } = assertRead(await ann.get(`/api/photos?limit=100&q=${encodeURIComponent(q)}`));
    return list.map(({ title }: { title: string }) => title).sort();
  }

  const cases: Record<string, [string, string[]][]> = {
    'text that only looks like an operator is a word': [
      ['Paris - Louvre', ['Louvre in Paris', 'Paris - Louvre']],
      ['"Paris - Louvre"', ['Paris - Louvre']],
      ['IMG (1', ['IMG (1).jpg']],
      ['IMG 1)', ['IMG (1).jpg']],
      ['IMG (2)', ['IMG (2).jpg']],
      ['Re:Zero', ['Re:Zero']],
      ['12" vinyl', ['12" vinyl']],
      ['7" single OR 12" vinyl', ['12" vinyl', '7" single']],
      ['that OR', ['this OR that']],
      ['OR that', ['this OR that']],
      ['salt () pepper', ['salt and pepper']],
      ['salt & pepper', []],
      ['50%', ['50% off']],
      ['C++', ['C++ meetup']],
      ['#sunset', ['#sunset']],
      ['@ann', ['mail @ann']],
      [':)', ['Happy :)']],
      ['happy :)', ['Happy :)']],
      ['f(x)', ['f(x) = 2']],
      ['AT&T', ['AT&T tower']],
      ['12:30', ['12:30 lunch']],
      ['-', ['Paris - Louvre', 'pasted']],
      ['--paris', ['Louvre in Paris', 'Paris - Louvre']],
      ['louvre -- paris', ['Louvre in Paris', 'Paris - Louvre']],
      ['louvre -', ['Louvre in Paris', 'Paris - Louvre']],
      ['"New Yo', titles],
      ['Rom, Italien', ['Rom, Italien']],
      ['(louvre', []],
      ['(louvre OR', []],
      ['louvre -(paris -', ['Louvre in Paris', 'Paris - Louvre']],
      ['isoo:5', []],
      ['标题:山', []],
      ['zq - - qz', []],
      ['OR OR OR', [...titles, 'pasted']],
      ['()()', []],
      ['"" paris', ['Louvre in Paris', 'Paris - Louvre']],
      [url, ['pasted']],
      [longUrl, ['pasted']],
      ['ha'.repeat(40), ['hahahahahahahahahahahahahaha']],
      [`-${'—'.repeat(30)} paris`, ['Louvre in Paris', 'Paris - Louvre']],
    ],
    'typographic and full-width punctuation means its plain form': [
      ['“New York” skyline', ['New York skyline']],
      ['„New York“ -tag:x skyline', ['New York skyline']],
      ['louvre –in', ['Paris - Louvre']],
      ['louvre －in', ['Paris - Louvre']],
      ['paris （in OR –）', ['Louvre in Paris', 'Paris - Louvre']],
      ['louvre（in OR nothing）', ['Louvre in Paris']],
      ['tag：“new york” single', ['7" single']],
      ['is：ｐｕｂｌｉｃ vinyl', ['12" vinyl']],
      ['日落，海边', ['日落 海边']],
      ['東京「タワー」', ['東京タワー']],
      ['«ha ha»', ['ha ha']],
    ],
  };
  for (const [kind, searches] of Object.entries(cases)) {
    test(kind, async () => {
      for (const [q, expected] of searches) {
        assert.deepEqual(await find(q), [...new Set(expected)].sort(), q);
      }
    });
  }
});
