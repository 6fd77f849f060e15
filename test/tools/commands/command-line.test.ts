/** Runs the command line on the database of a gallery that is in use. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runLightwell, runLightwellProcess } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, logIn, password, register, registerAdmin } from '../../support/people.ts';

let gallery: Gallery;
let folder: string;

before(async () => {
  gallery = await startGallery();
  folder = await mkdtemp(join(tmpdir(), 'lightwell-test-'));
});
after(async () => {
  await gallery.close();
  await rm(folder, { recursive: true });
});

const user = (args: string[], input = '') => runLightwell(gallery, ['user', ...args], input);

test('create makes an account that logs in, and an admin with --admin', async () => {
  const args = ['user', 'create', 'olga', 'olga@example.org', '--admin'];
  const made = await runLightwellProcess(gallery, args, 'half dome\n');
  assert.equal(made.code, 0, made.error);
  assert.match(made.out, /^Created admin olga \(id \d+\)\.\n$/);

  const login = await asVisitor(gallery).post('/api/auth/login', {
    username: 'olga',
    password: 'half dome',
  });
  assert.equal(login.body.code, 0);
  const olga = await logIn(gallery, { ...asVisitor(gallery), name: 'olga' }, 'half dome');
  const { body } = await olga.get('/api/auth/user');
  assert.equal(body.data.is_admin, true);
});

test('create refuses what the API refuses, in one line, and asks for no password first', async () => {
  const wrong = await runLightwellProcess(gallery, ['user', 'create', 'x', 'no mail'], 'half dome\n');
  assert.equal(wrong.code, 1);
  assert.match(wrong.error, /^error: username: Must have at least 3 characters; email: .+$/);
  const digits = await user(['create', '2026', 'digits@example.org'], 'half dome\n');
  assert.equal(digits.code, 1);
  assert.match(digits.error, /^error: .*not only digits/);
  const short = await user(['create', 'peter', 'peter@example.org'], 'short\n');
  assert.equal(short.error, 'error: password: Must have at least 6 characters');
  await register(gallery, 'quentin');
  const taken = await user(['create', 'QUENTIN', 'other@example.org'], 'half dome\n');
  assert.equal(taken.error, 'error: The username already exists. Choose another one.');
  assert.equal((await user(['list'])).out.match(/quentin/gi)?.length, 2, 'once as name, once in the email');
});

test('password ends all sessions; the new one comes from a file', async () => {
  const rosa = await register(gallery, 'rosa');
  const file = join(folder, 'password');
  await writeFile(file, 'quite new\n');
  const changed = await user(['password', 'rosa@example.org', '--password-file', file]);
  assert.equal(changed.code, 0, changed.error);
  assert.doesNotMatch(changed.out, /quite new/);

  assert.equal((await rosa.get('/api/auth/user')).body.code, 10006);
  await logIn(gallery, rosa, 'quite new');
  await assert.rejects(logIn(gallery, rosa, password), /10003/);
});

test('disable ends the sessions and refuses logins until enable', async () => {
  const sven = await register(gallery, 'sven');
  assert.equal((await user(['disable', 'sven'])).code, 0);
  assert.equal((await sven.get('/api/auth/user')).body.code, 10006);
  await assert.rejects(logIn(gallery, sven), /10004/);
  assert.equal((await user(['enable', 'sven'])).code, 0);
  await logIn(gallery, sven);
  assert.equal((await sven.get('/api/auth/user')).body.code, 10006, 'the old session stays ended');
});

test('one admin who can log in always remains', async () => {
  const tina = await register(gallery, 'tina');
  await registerAdmin(gallery, 'ulf');
  assert.equal((await user(['promote', 'tina'])).code, 0);
  const admins = [...(await user(['list'])).out.matchAll(/(\w+) +\S+ +admin/g)].map((match) => match[1]!);
  for (const name of admins.filter((admin) => admin !== 'tina')) {
    assert.equal((await user(['demote', name])).code, 0);
  }
  for (const [command, what] of [
    ['demote', 'demoted'],
    ['disable', 'disabled'],
  ] as const) {
    const refused = await user([command, 'tina']);
    assert.equal(refused.code, 1);
    assert.equal(refused.error, `error: tina is the last admin and cannot be ${what}`);
  }
  assert.equal((await tina.get('/api/auth/user')).body.data.is_admin, true);
  assert.match((await user(['list'])).out, /tina +tina@example\.org +admin +normal/);
});

test('an unknown name, a missing argument and an unreadable file are one line and exit code 1', async () => {
  await register(gallery, 'vera');
  const refusals: [string[], RegExp][] = [
    [['promote', 'nobody-here'], /^error: the user "nobody-here" does not exist$/],
    [['create', 'alone'], /^error: missing required argument 'email'/],
    [
      ['password', 'vera', '--password-file', join(folder, 'none')],
      /^error: cannot read the password file \(ENOENT\)$/,
    ],
  ];
  for (const [args, expected] of refusals) {
    const { code, out, error } = await user(args);
    assert.equal(code, 1);
    assert.equal(out, '');
    assert.match(error, expected);
  }
});
