/** Runs the tour of the README and the commands of docs/administration.md as written, in each shell. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { type Gallery, startGallery } from '../support/harness.ts';
import { asVisitor } from '../support/people.ts';

const root = resolve(import.meta.dirname, '../..');
const options: Record<string, string[]> = { bash: ['--norc'], dash: [], zsh: ['-f'] };

for (const [shell, flags] of Object.entries(options)) {
  const isHere = spawnSync('sh', ['-c', `command -v ${shell} && command -v curl`]).status === 0;

  describe(`the tour, in ${shell}`, { skip: !isHere && `${shell} or curl is not installed` }, () => {
    test('every command succeeds and does what the text says', async () => {
      const folder = await makeFolder();
      const gallery = await startGallery();
      try {
        const tour = await readCommands('README.md', 'A tour');
        const commands = tour + (await readCommands('docs/administration.md', 'The API of admins'));
        // zsh does not accept comments at its prompt, so pasted commands must not contain comments.
        assert.doesNotMatch(commands, /(^|\s)#/m);
        const script = commands.replace('http://localhost:3000', gallery.url);
        assert.notEqual(script, commands);
        await writeFile(join(folder, 'commands'), `set -e\n${script}`);

        const { code, output, complaints } = await run([shell, ...flags, 'commands'], folder, gallery);
        assert.equal(code, 0, `${output}\n${complaints}`);
        await assertDone(output.split('\n'), folder, gallery);
        assert.deepEqual(gallery.complaints(), []);
      } finally {
        await gallery.close();
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
}

/**
 * Creates a folder that looks like the project's folder, so that files downloaded by the tour do not land in
 * the project.
 */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lightwell-tour-'));
  for (const name of ['docs', 'server', 'node_modules', 'package.json']) {
    await symlink(join(root, name), join(folder, name));
  }
  // Turns off curl's progress meter. curl does not show the meter either when it prints to a terminal.
  await writeFile(join(folder, '.curlrc'), 'no-progress-meter\n');
  return folder;
}

/** Returns the shell commands in the code blocks below a heading. */
async function readCommands(file: string, heading: string): Promise<string> {
  const text = await readFile(resolve(root, file), 'utf8');
  const section = text.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('');
}

async function run([shell, ...args]: string[], folder: string, { deps }: Gallery) {
  const child = spawn(shell!, args, {
    cwd: folder,
    env: {
      HOME: folder,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      DATA_DIR: deps.config.dataDir,
      npm_config_update_notifier: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, complaints, code] = await Promise.all([
    child.stdout.setEncoding('utf8').toArray(),
    child.stderr.setEncoding('utf8').toArray(),
    new Promise((done) => child.on('close', done)),
  ]);
  return { code, output: output.join(''), complaints: complaints.join('') };
}

async function assertDone(lines: string[], folder: string, gallery: Gallery): Promise<void> {
  const answers = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  assert.ok(answers.length > 15, lines.join('\n'));
  for (const answer of answers) assert.equal(answer.code, 0, JSON.stringify(answer));

  const cropped = await sharp(join(folder, 'cropped.jpg')).metadata();
  assert.deepEqual([cropped.width, cropped.height], [800, 600]);
  assert.ok((await readdir(folder)).includes('Evenings.zip'));
  assert.equal((await readFile(join(folder, 'Evenings.zip'))).subarray(0, 2).toString(), 'PK');

  const page = await fetch(lines.find((line) => line.includes('/s/'))!);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /Sunset/);

  const photo = (await asVisitor(gallery).get('/api/photos/1')).body.data;
  assert.deepEqual(
    [photo.title, photo.album.name, photo.likes, photo.comments, photo.width, photo.height],
    ['Sunset', 'Evenings', 1, 1, 1200, 800],
  );
  const told = answers.find(({ data }) => Array.isArray(data?.list) && 'unread' in data);
  assert.deepEqual(told.data.list.map(({ type }: { type: string }) => type).sort(), ['comment', 'follow']);
}
