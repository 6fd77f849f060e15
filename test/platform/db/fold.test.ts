import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldSearchText, foldText, naturalSortKey } from '../../../server/platform/db/fold.ts';

test('every character folds to the same as its lower and upper case, and folding again changes nothing', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const folded = foldText(character);
    const isSame =
      foldText(character.toLowerCase()) === folded &&
      foldText(character.toUpperCase()) === folded &&
      foldText(folded) === folded;
    if (!isSame) wrong.push(code.toString(16));
  }
  assert.deepEqual(wrong, []);
  assert.equal(foldText('GROẞE'), foldText('große'));
  assert.equal(foldText('GROẞE'), 'grosse');
});

test('folding text for searches again changes nothing, and text without letter case folds alike', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const folded = foldSearchText(character);
    if (foldSearchText(folded) !== folded || foldSearchText(foldText(character)) !== folded)
      wrong.push(code.toString(16));
  }
  assert.deepEqual(wrong, []);
});

const alike: [string, string][] = [
  ['Café', 'cafe'],
  ['CAFE\u0301', 'café'],
  ['Ångström', 'angstrom'],
  ['Smørrebrød', 'smorrebrod'],
  ['Łódź', 'lodz'],
  ['Đà Nẵng', 'da nang'],
  ['İstanbul', 'istanbul'],
  ['Straße', 'STRASSE'],
  ['Œuvre', 'oeuvre'],
  ['Ёлка', 'елка'],
  ['Αθήνα', 'αθηνα'],
  ['ｶﾞｰﾃﾞﾝ', 'ガーデン'],
  ['ＮＩＫＯＮ　Ｚ６', 'nikon z6'],
  ['don’t', "don't"],
  ['l`été', "l'ete"],
  ['1990–2000', '1990-2000'],
  ['„Zitat“', '"zitat"'],
  ['ﬁord', 'fiord'],
  ['❤️', '❤'],
  ['מָקוֹם', 'מקום'],
  ['مُحَمَّد', 'محمد'],
  ['New\u00a0\n York', 'new york'],
];
const different: [string, string][] = [
  ['か', 'が'],
  ['чай', 'чаи'],
  ['राम', 'रम'],
  ['กา', 'ก'],
  ['ー', '-'],
  ['hütte', 'hatte'],
];

test('folding for searches unites what people type for one word, and keeps other letters apart', () => {
  for (const [one, other] of alike) assert.equal(foldSearchText(one), foldSearchText(other), one);
  for (const [one, other] of different) assert.notEqual(foldSearchText(one), foldSearchText(other), one);
});

test('names sort as people count, by letters before accents and case', () => {
  const sorted = [
    ...['1', '2', '02b', '10', '10a', '100', '20240101', '99999999', '100000000', '12345678901234567890'],
    ...[
      'Apfel',
      'eau',
      'Éclair',
      'edel',
      'IMG 1',
      'img 2',
      'IMG 10',
      'İzmir',
      'Zürich',
      'Ελλάδα',
      'Ялта',
      '東京',
    ],
  ];
  const bytes = (name: string) => Buffer.from(naturalSortKey(name));
  const found = [...sorted].reverse().sort((one, other) => Buffer.compare(bytes(one), bytes(other)));
  assert.deepEqual(found, sorted);
  assert.ok(bytes('\ufdfa1'.repeat(200)).length < 2500, 'an index of PostgreSQL refuses longer keys');
});
