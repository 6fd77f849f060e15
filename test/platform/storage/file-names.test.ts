/** File and folder names that Lightwell derives from users' texts are valid on every file system. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { chooseAlbumFolderName, choosePhotoFileStem } from '../../../server/gallery/albums/archive/names.ts';
import {
  safeFileName,
  sanitizeFileStem,
  sanitizeFolderName,
} from '../../../server/gallery/photos/upload/file-name.ts';
import { createUniqueFileNames } from '../../../server/tools/exchange/export/names.ts';

const stems: Record<string, string> = {
  'a/b\\c': 'a_b_c',
  '<a>:"|?*': '_a______',
  ' .. hidden. ': 'hidden',
  'tab\there\u202e\ufeff': 'tabhere',
  'broken \ud800': 'broken',
  'u\u0308ber': '\u00fcber',
  CON: '_CON',
  'nul.tar': '_nul.tar',
  'com1 .x': '_com1 .x',
  'LPT\u00b2': '_LPT\u00b2',
  conout$: '_conout$',
  console: 'console',
  com: 'com',
  '...': '',
  '': '',
};

suite('names of files that we make', () => {
  for (const [text, stem] of Object.entries(stems)) {
    test(`${JSON.stringify(text)} becomes ${JSON.stringify(stem)}`, () => {
      assert.equal(sanitizeFolderName(text, 100), stem);
      assert.equal(chooseAlbumFolderName({ id: 7, name: text }), stem || 'album-7');
      assert.equal(createUniqueFileNames().folder(text, 7), stem || 'album-7');
      assert.equal(
        choosePhotoFileStem({ id: 7, title: text, file_name: '' }, 'jpg', false),
        stem || 'photo-7',
      );
    });
  }

  test('a name ends before its bytes do, between characters and not at a dot', () => {
    assert.equal(sanitizeFolderName('\u00fc'.repeat(9), 7), '\u00fc\u00fc\u00fc');
    assert.equal(sanitizeFolderName('\ud83d\ude00'.repeat(3), 10), '\ud83d\ude00\ud83d\ude00');
    assert.equal(sanitizeFolderName('abc. def', 5), 'abc');
    assert.equal(Buffer.byteLength(sanitizeFolderName('\u6f22'.repeat(500), 180)), 180);
  });

  test("an upload's name loses its folders, the stem its extension", () => {
    assert.equal(safeFileName('C:\\fakepath\\DSC_0042.JPG'), 'DSC_0042.JPG');
    assert.equal(safeFileName('../../etc/passwd'), 'passwd');
    assert.equal(safeFileName('CON'), 'CON');
    assert.equal(sanitizeFileStem('DSC_0042.JPG', 100), 'DSC_0042');
    assert.equal(sanitizeFileStem('aux.jpg', 100), '_aux');
    assert.equal(sanitizeFileStem('v1.2 final', 100), 'v1.2 final');
  });
});
