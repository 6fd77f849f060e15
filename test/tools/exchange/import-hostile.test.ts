/** Tests `lightwell import` of malicious folders: links, pipes and devices are neither followed nor read. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand, runLightwell } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { createHostileZip } from '../../support/hostile-zip.ts';
import {
  type ImportFolders,
  makeFolders,
  makePicture,
  readAlbums,
  readPhotos,
} from '../../support/import-folders.ts';
import { register } from '../../support/people.ts';

let gallery: Gallery;
let folders: ImportFolders;

before(async () => {
  gallery = await startGallery();
  folders = await makeFolders();
});
after(async () => {
  await gallery.close();
  await folders.remove();
});

const posix = {
  skip: process.platform === 'win32' && 'links and pipes are those of POSIX systems',
  timeout: 60_000,
};

const told = (name: string) => ({
  schema: 'lightwell-album',
  version: 1,
  name,
  description: 'from outside',
  is_public: 1,
  create_time: '2020-01-01T00:00:00Z',
  update_time: '2020-01-01T00:00:00Z',
  cover_sha256: null,
});

test('an album.json that is a link to a file elsewhere is not read', posix, async () => {
  const una = await register(gallery, 'una');
  const dir = await folders.folder('linked', { 'Trip/1.jpg': await makePicture() });
  const outside = join(folders.root, 'outside.json');
  await writeFile(outside, JSON.stringify(told('SECRET FROM OUTSIDE')));
  await symlink(outside, join(dir, 'Trip', 'album.json'));
  const ended = await runLightwell(gallery, ['import', dir, '--user', 'una']);
  assert.equal(ended.code, 0, ended.out + ended.error);
  assert.deepEqual(
    (await readAlbums(una)).map(({ name }) => name),
    ['Trip'],
  );
});

test(
  'pipes and devices named album.json, or like a photo or its sidecar, end nothing and hold nothing up',
  posix,
  async () => {
    const vera = await register(gallery, 'vera');
    const dir = await folders.folder('special', {
      'Pipe/1.jpg': await makePicture(),
      'Zero/2.jpg': await makePicture(),
    });
    for (const pipe of ['Pipe/album.json', 'Pipe/1.jpg.json', 'Pipe/1.jpg.xmp', 'Pipe/3.jpg']) {
      execFileSync('mkfifo', [join(dir, pipe)]);
    }
    await symlink('/dev/zero', join(dir, 'Zero', 'album.json'));
    await symlink('/dev/zero', join(dir, 'Zero', '2.jpg.json'));
    const ended = await runLightwell(gallery, ['import', dir, '--user', 'vera']);
    assert.equal(ended.code, 0, ended.out + ended.error);
    assert.equal((await readPhotos(vera)).length, 2);
  },
);

test('names reach the terminal without their control characters', posix, async () => {
  await register(gallery, 'wim');
  const dir = await folders.folder('names', { 'a\u001b]0;owned\u0007\u202e.jpg': 'no picture' });
  const ended = await runLightwell(gallery, ['import', dir, '--user', 'wim']);
  assert.equal(ended.code, 1);
  assert.match(ended.out, /^a\\x1b\]0;owned\\x07\\u202e\.jpg: /m);
  for (const text of [ended.out, ended.error]) assert.doesNotMatch(text, /[\u001b\u0007\u202e]/);
});

test('removes control characters from typed texts, too', async () => {
  const { out, error } = await runCommand({ DATA_DIR: gallery.deps.config.dataDir }, [
    'import',
    join(folders.root, 'no\u001b[2Jwhere'),
    '--user',
    'x\u001b[2Jy',
  ]);
  assert.doesNotMatch(out + error, /\u001b/);
});

test('names that are not UTF-8 are read, and such JSON beside a photo tells nothing', async () => {
  const latin = await register(gallery, 'latin');
  const path = join(folders.root, 'latin.zip');
  const importZip = async (zip: Buffer) => {
    await writeFile(path, zip);
    return runLightwell(gallery, ['import', path, '--user', 'latin']);
  };
  const content = await makePicture();
  const whole = createHostileZip([{ name: 'aa.jpg', content: await makePicture() }]).toString('latin1');
  const odd = await importZip(Buffer.from(whole.replaceAll('aa.jpg', 'a\xe9.jpg'), 'latin1'));
  assert.equal(odd.code, 0, odd.out + odd.error);
  // A valid file name with a replacement character, as another program writes it after losing characters.
  const name = 'a\ufffdb.jpg';
  const told = Buffer.from('{"title": "caf\xe9"}', 'latin1');
  const { code, out } = await importZip(
    createHostileZip([
      { name, content },
      { name: `${name}.json`, content: told },
    ]),
  );
  assert.equal(code, 0, out);
  assert.deepEqual((await readPhotos(latin)).map(({ title }) => title).sort(), ['a\ufffdb', 'aé'].sort());
});
