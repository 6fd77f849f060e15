/**
 * Tests PASSWORD_RULES=strict: minimum length, common passwords and words of the context, in every place that
 * sets a password.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ensureConfiguredAdmin } from '../../../server/gallery/accounts/admin.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { createEnvironment, runCommand } from '../../support/command.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  type Answer,
  asVisitor,
  logIn,
  type Person,
  password,
  register,
  registerAdmin,
} from '../../support/people.ts';

const tooShort = 'Must have at least 8 characters';
const common = 'Must not be one of the most common passwords';
const besides = (...words: string[]) => `${tooShort} besides ${words.map((word) => `"${word}"`).join(', ')}`;

describe('strict rules for passwords', () => {
  let gallery: Gallery;
  let root: Person;
  let ann: Person;

  before(async () => {
    gallery = await startGallery({
      passwordRules: 'strict',
      siteName: 'The Millers’ Café',
      baseUrl: 'https://photos.millers.test',
    });
    root = await registerAdmin(gallery, 'root');
    ann = await register(gallery, 'annabel');
  });
  after(() => gallery.close());

  function assertProblem(answer: Answer, field: string, problem: string): void {
    assertRefused(answer, 400, 400, [field]);
    assert.deepEqual(answer.body.errors[field], [problem]);
  }

  const cases: [string, string][] = [
    ['1234567', tooShort],
    ['1qaz2wsx', common],
    ['QwertyUIOP', common],
    ['annabel1', besides('annabel')],
    ['ANNABEL-annabel-7', besides('annabel')],
    ['Lightwell123', besides('lightwell')],
    ['café millers 9', besides('millers', 'café')],
  ];

  const link = async () =>
    assertWritten(await root.post(`/api/admin/users/${ann.id}/reset-link`)).url.split('#')[1] as string;

  test('apply to new accounts, changed passwords, links and admins', async () => {
    const token = await link();
    for (const [secret, problem] of cases) {
      const account = { username: 'another', email: 'annabel@example.com', password: secret };
      assertProblem(await asVisitor(gallery).post('/api/auth/register', account), 'password', problem);
      const change = { old_password: password, new_password: secret };
      assertProblem(await ann.put('/api/auth/password', change), 'new_password', problem);
      assertProblem(
        await asVisitor(gallery).post('/api/auth/reset', { token, password: secret }),
        'password',
        problem,
      );
      assertProblem(await root.put(`/api/admin/users/${ann.id}`, { password: secret }), 'password', problem);
    }
    ann = await logIn(gallery, ann);
    assertDone(await asVisitor(gallery).post('/api/auth/reset', { token, password: 'half dome 1927' }));
    ann = await logIn(gallery, ann, 'half dome 1927');
  });

  const more: [string, string][] = [
    [' password1  ', common],
    ['i love you', common],
    ['\t1234567\t', tooShort],
    ['00000000', common],
    ['123 123 123', common],
    ['8765432109', common],
    ['AbcdEfgh', common],
    ['annabel@example.org', besides('example.org', 'annabel')],
    ['Example.org', besides('example.org')],
    ['example 1927', besides('example')],
    ['photos.millers.test', besides('photos.millers.test')],
    ['l i g h t w e l l', besides('lightwell')],
    ['pass\u200Bword', common],
    ['x         9', tooShort],
  ];

  test('count repeated or continued characters as one, and know the hosts of mail and gallery', async () => {
    for (const [secret, problem] of more)
      assertProblem(await root.put(`/api/admin/users/${ann.id}`, { password: secret }), 'password', problem);
    for (const good of [
      'correct horse battery',
      'a comfortable organ',
      '1234 half dome 1927',
      'ßß aa 00 zz 99',
    ])
      assertWritten(await root.put(`/api/admin/users/${ann.id}`, { password: good }));
    ann = await logIn(gallery, ann, 'ßß aa 00 zz 99');
    assertDone(
      await ann.put('/api/auth/password', { old_password: 'ßß aa 00 zz 99', new_password: 'half dome 1927' }),
    );
  });

  test('accept a sentence with such a word, and a password from before', async () => {
    const change = { old_password: 'half dome 1927', new_password: 'annabel climbs half dome' };
    assertDone(await ann.put('/api/auth/password', change));
    gallery.deps.config.passwordRules = 'contract';
    assertWritten(await root.put(`/api/admin/users/${ann.id}`, { password: '123456' }));
    gallery.deps.config.passwordRules = 'strict';
    await logIn(gallery, ann, '123456');
  });

  test('include the local part of the email, but no words below three letters', async () => {
    const make = (email: string, secret: string) =>
      asVisitor(gallery).post('/api/auth/register', { username: 'some-one', email, password: secret });
    assertProblem(await make('Dorothea.L@example.org', 'dorothea.l 99'), 'password', besides('dorothea.l'));
    assertWritten(await make('ab@example.org', 'abababab-ab-org'));
  });

  test('apply on the command line and to ADMIN_PASSWORD', async () => {
    const environment = { ...createEnvironment(gallery.deps.config), PASSWORD_RULES: 'strict' };
    const made = await runCommand(environment, ['user', 'create', 'tina', 'tina@example.org'], {
      input: 'tina1234\n',
    });
    assert.deepEqual([made.code, made.error], [1, `error: password: ${besides('tina')}`]);
    const changed = await runCommand(environment, ['user', 'password', 'annabel'], { input: '123456789\n' });
    assert.deepEqual([changed.code, changed.error], [1, `error: password: ${common}`]);
    const admin = { username: 'keeper', email: 'keeper@example.org', password: 'keeper1' };
    const config = { ...gallery.deps.config, admin };
    await assert.rejects(ensureConfiguredAdmin({ ...gallery.deps, config }), {
      message: `ADMIN_PASSWORD is too weak for PASSWORD_RULES=strict: ${tooShort}.`,
    });
  });

  test('are announced by the site with the minimum length', async () => {
    assert.equal(assertRead(await asVisitor(gallery).get('/api/site')).password_min_length, 8);
  });

  test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
});

test('accept six characters when they are turned off, as the contract says', async (context) => {
  const gallery = await startGallery();
  context.after(() => gallery.close());
  const account = { username: 'ansel', email: 'ansel@example.org', password: '123456' };
  assertWritten(await asVisitor(gallery).post('/api/auth/register', account));
  assertRefused(
    await asVisitor(gallery).post('/api/auth/register', { ...account, password: '12345' }),
    400,
    400,
    ['password'],
  );
});
