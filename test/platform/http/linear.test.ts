/**
 * Processing any client text takes time that grows linearly with its length, so that no text blocks the event
 * loop. The test tries each regular expression of the server and each function for client texts. The texts
 * force a new attempt at every character.
 */

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { suite, test } from 'node:test';
import { chooseAlbumFolderName, choosePhotoFileStem } from '../../../server/gallery/albums/archive/names.ts';
import { parseRange } from '../../../server/gallery/delivery/ranges.ts';
import { readPathGrant } from '../../../server/gallery/delivery/signatures.ts';
import { isApiKey, isTokenText, readBearer } from '../../../server/gallery/identity/tokens.ts';
import { buildSearchTexts, createTitleKey } from '../../../server/gallery/library/search-text.ts';
import { cleanTags, splitTags } from '../../../server/gallery/library/tags.ts';
import { downloadName, safeFileName, trimDots } from '../../../server/gallery/photos/upload/file-name.ts';
import { getIpAddressKey } from '../../../server/platform/connections/address.ts';
import { foldText } from '../../../server/platform/db/fold.ts';
import { createGallerySecret } from '../../../server/platform/db/secret.ts';
import { ApiError } from '../../../server/platform/errors/catalogue.ts';
import { html } from '../../../server/platform/http/html.ts';
import {
  cleanCaption,
  cleanMetadataTags,
  listKeywordLeaves,
} from '../../../server/platform/imaging/metadata/descriptions.ts';
import {
  formatAperture,
  formatCamera,
  formatShutterTime,
} from '../../../server/platform/imaging/metadata/exif-text.ts';
import { parseFileNameTime } from '../../../server/platform/imaging/metadata/name-time.ts';
import { toMultilineText } from '../../../server/platform/imaging/metadata/text.ts';
import { parseWallClock } from '../../../server/platform/imaging/metadata/wall-clock.ts';
import { parseObjectName } from '../../../server/platform/storage/keys.ts';
import { createUniqueFileNames } from '../../../server/tools/exchange/export/names.ts';
import {
  chooseAlbumName,
  choosePhotoTitle,
  cleanDescription,
} from '../../../server/tools/exchange/plan/text.ts';
import { readThreadMs } from '../../support/thread-time.ts';

const secret = createGallerySecret('secret of tests');

/** Maximum milliseconds. A linear expression needs about a hundredth of the maximum. */
const maxMs = 1000;

const acceptsText: Record<string, (text: string) => unknown> = {
  safeFileName,
  trimDots,
  ownName: (text) => downloadName({ id: 1, title: text, file_name: text }, 'jpg', true),
  strangersName: (text) => downloadName({ id: 1, title: text, file_name: text }, 'jpg', false),
  ownStem: (text) => choosePhotoFileStem({ id: 1, title: text, file_name: text }, 'jpg', true),
  strangersStem: (text) => choosePhotoFileStem({ id: 1, title: text, file_name: text }, 'jpg', false),
  albumFolder: (text) => chooseAlbumFolderName({ id: 1, name: text }),
  exportedPhoto: (text) =>
    createUniqueFileNames().photo({ id: 1, title: text, file_name: text, extension: 'jpg' }),
  exportedFolder: (text) => createUniqueFileNames().folder(text, 1),
  tags: (text) => cleanTags(splitTags(text)),
  oneTag: (text) => cleanTags([text]),
  fold: foldText,
  searchTextOf: (text) => buildSearchTexts({ title: text, description: text, tags: [text], file_name: text }),
  createTitleKey,
  titleOf: (text) => choosePhotoTitle(text, text),
  titleOfFile: (text) => choosePhotoTitle(text, ''),
  cleanDescription,
  chooseAlbumName,
  camera: (text) => formatCamera(text, text),
  wallClock: parseWallClock,
  nameTime: parseFileNameTime,
  metadataLines: toMultilineText,
  caption: (text) => cleanCaption(text, [text, text]),
  foundTags: (text) => cleanMetadataTags([text], listKeywordLeaves([text])),
  fNumber: formatAperture,
  shutterTime: formatShutterTime,
  html: (text) => html`<p>${text}</p>`.toString(),
  readBearer,
  bearerAfterWord: (text) => readBearer(`Bearer ${text}`),
  isTokenText,
  isApiKey,
  parseRange: (text) => parseRange(`bytes=${text}`, 1000),
  parseObjectName,
  readGrant: (text) => readPathGrant(text, { g: text, e: text, s: text }, 0, secret),
  addressKey: getIpAddressKey,
};

const units = [' ', '.', 'a', '0', '-', '/', '\\', ',', ';', '=', '"', ':', '<', '_', '\n', '\t', '\0'];
const pairs = [
  '. ',
  'a.',
  ', ',
  'a,',
  '1.',
  'aA',
  '\r\n',
  ' a',
  '0-',
  '%2',
  '()',
  'ß',
  '\u0301',
  '\ud83d\ude00',
  '\ud800',
];
const ends = ['', 'x', '\u0001', ' x.jpg'];

function* adversaries(length: number): Generator<string> {
  for (const unit of [...units, ...pairs]) {
    const row = unit.repeat(Math.ceil(length / unit.length));
    for (const end of ends) yield `x${row}${end}`;
  }
}

suite('what looks at the text of a client', () => {
  for (const [name, look] of Object.entries(acceptsText)) {
    test(`${name} takes a time that grows with the text`, () => {
      for (const length of [10_000, 60_000]) for (const text of adversaries(length)) assertQuick(look, text);
      // Uses megabyte-long texts only with these units, because a megabyte of every unit would make the test
      // too slow.
      for (const unit of [' ', '.', 'a', ',', '. '])
        assertQuick(look, `x${unit.repeat(2 ** 20 / unit.length)}x`);
    });
  }

  test('every regular expression of the server is linear', () => {
    const expressions = [...allExpressions()];
    assert.ok(expressions.length > 90, `${expressions.length} were found`);
    for (const { where, expression } of expressions) {
      for (const text of [...adversaries(10_000), ...adversaries(40_000)]) {
        assertQuick((given) => given.replace(expression, ''), text, `${where} ${expression}`);
      }
    }
  });
});

function assertQuick(look: (text: string) => unknown, text: string, what = ''): void {
  const start = readThreadMs();
  try {
    look(text);
  } catch (error) {
    // A function may refuse the text with an `ApiError`.
    if (!(error instanceof ApiError)) throw error;
  }
  const ms = readThreadMs() - start;
  assert.ok(ms < maxMs, `${what} ${JSON.stringify(text.slice(0, 6))} times ${text.length}: ${ms} ms`);
}

const server = resolve(import.meta.dirname, '../../../server');
/** Finds regular expressions in source text. The first part makes sure that the slash is not a division. */
const literal =
  /(?<=[(,=:[!&|?{};]\s*|=>\s*|return\s+)\/(?![/*])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([dgimsuvy]*)(?!\w)/g;
const schemaPattern = /\bpattern: '((?:\\.|[^'\\\n])+)'/g;

function* allExpressions(): Generator<{ where: string; expression: RegExp }> {
  for (const file of globSync('**/*.{ts,js}', { cwd: server })) {
    const lines = readFileSync(resolve(server, file), 'utf8').split('\n');
    const code = lines.filter((line) => !/^\s*(\/\/|\/?\*)/.test(line)).join('\n');
    for (const [, source, flags] of code.matchAll(literal)) {
      yield { where: file, expression: new RegExp(source!, flags) };
    }
    for (const [, source] of code.matchAll(schemaPattern)) {
      yield { where: file, expression: new RegExp(source!.replaceAll('\\\\', '\\'), 'u') };
    }
  }
}
