/** Tests `lightwell backup`, `restore` and `move` as an operator uses them: messages, exit codes, files. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { after, before, describe, test } from 'node:test';
import type { GalleryLocation } from '../../../server/tools/transfer/gallery-location.ts';
import { createEnvironment } from '../../support/command.ts';
import type { Gallery } from '../../support/harness.ts';
import { addPhoto, logIn, type Person, register } from '../../support/people.ts';
import { command } from './databases.ts';
import { createScope, otherHome, serve, sqliteHome } from './gallery-locations.ts';

const cli = resolve(import.meta.dirname, '../../../server/cli.ts');

describe('on the command line', () => {
  const scope = createScope();
  after(() => scope.end());
  let source: GalleryLocation;
  let gallery: Gallery;
  let owner: Person;
  let file: string;

  before(async () => {
    source = await otherHome(scope, { isMigrated: true });
    gallery = await serve(source);
    scope.after(() => gallery.close());
    owner = await register(gallery, 'ansel');
    await addPhoto(owner, { title: 'Half Dome' });
    file = join((await sqliteHome(scope)).dataDir, 'gallery.tar');
  });

  test('a backup of a gallery that is served leaves one file, closed to others', async () => {
    const { code, err } = await run(source, ['backup', file]);
    assert.equal(code, 0, err);
    assert.match(err, /Backed up: \d+ rows and 3 files\./);
    assert.deepEqual(await readdir(dirname(file)), [basename(file)]);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  test('writes an archive to standard output and compares it', async () => {
    const piped = `${file}.piped`;
    const { code, err } = await run(source, ['backup', '-'], piped);
    assert.equal(code, 0, err);
    const { code: verified, out } = await command(source, ['backup', '--verify', piped]);
    assert.equal(verified, 0);
    assert.match(out, /is intact: all \d+ entries match their checksums/);
  });

  test('an archive that was altered is told of in one line', async () => {
    const altered = `${file}.altered`;
    const bytes = await readFile(file);
    // Changes a byte inside a picture, because the bytes that fill up a tar block have no meaning.
    const picture = bytes.indexOf(Buffer.from([0xff, 0xd8, 0xff]));
    assert.ok(picture > 0);
    bytes[picture + 200]! ^= 4;
    await writeFile(altered, bytes);
    const { code, err } = await command(source, ['backup', '--verify', altered]);
    assert.equal(code, 1);
    assert.match(err, /^error: the archive is damaged: .+$/m);
    assert.doesNotMatch(err, /at .+\.ts:/);
  });

  test('leaves nothing where no archive can be written', async () => {
    const { code, err } = await command(source, ['backup', join(dirname(file), 'nowhere', 'x.tar')]);
    assert.equal(code, 1);
    assert.match(err, /error: cannot write the archive/);
  });

  test('restored, it is served with the same passwords; restored again, it is refused', async () => {
    const home = await otherHome(scope);
    const { code, out, err } = await run(home, ['restore', file]);
    assert.equal(code, 0, err);
    assert.match(out, /Restored \d+ rows and 3 files/);
    assert.equal(await titleAt(home), 'Half Dome');
    const again = await command(home, ['restore', file]);
    assert.equal(again.code, 1);
    assert.match(again.err, /^error: this restore is already complete/m);
  });

  test('a move says what stays behind, and what was compared', async () => {
    const home = await sqliteHome(scope);
    const target = ['--database', home.dataDir, '--storage', home.dataDir];
    const { code, out, err } = await run(source, ['move', ...target]);
    assert.equal(code, 0, err);
    assert.match(err, /Stop its server first/);
    assert.match(
      out,
      /Moved \d+ rows in \d+ tables and 3 files \(0 were already there\)\. All of them were compared/,
    );
    assert.equal(await titleAt(home), 'Half Dome');
  });

  async function titleAt(home: GalleryLocation): Promise<string> {
    const copy = await serve(home);
    try {
      const { body } = await (await logIn(copy, owner)).get('/api/photos');
      return body.data.list[0].title;
    } finally {
      await copy.close();
    }
  }
});

/** Runs the command with the settings of a gallery location. `into` is a file for its standard output. */
async function run(home: GalleryLocation, args: string[], into?: string) {
  const env = createEnvironment(home);
  const { promise, resolve: end } = Promise.withResolvers<{ code: number; out: string; err: string }>();
  const child = execFile(process.execPath, [cli, ...args], { env, encoding: 'latin1' }, (error, out, err) =>
    end({ code: error ? Number(error.code) : 0, out, err }),
  );
  if (into) await pipeline(child.stdout!, createWriteStream(into, { encoding: 'latin1' }));
  return promise;
}
