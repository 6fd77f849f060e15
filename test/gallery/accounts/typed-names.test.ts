/** Tests names and email addresses with the blanks that keyboards and copied text put around them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, type Person, password, register, registerAdmin } from '../../support/people.ts';

/** Blanks before and after a text, by the source that adds them. */
const surroundings: Record<string, [string, string]> = {
  "a phone's keyboard": ['', ' '],
  'a blank before': [' ', ''],
  'several blanks': ['   ', '   '],
  'a tab of a spreadsheet': ['\t', '\t'],
  'a line break of a mail': ['', '\r\n'],
  'a no-break space of a page': ['\u00a0', '\u00a0'],
  'a wide space of a Chinese keyboard': ['\u3000', '\u3000'],
  'a byte order mark': ['\ufeff', ''],
  'a zero-width space of a chat': ['\u200b', '\u200b'],
  'the direction marks of an address book': ['\u202a', '\u202c'],
  'a narrow space of a French keyboard': ['', '\u202f'],
};

describe('a name or an email with blanks around', () => {
  let gallery: Gallery;
  let ann: Person;
  let admin: Person;

  before(async () => {
    gallery = await startGallery({ passwordLogin: true });
    ann = await register(gallery, 'ann');
    admin = await registerAdmin(gallery, 'root');
  });
  after(() => gallery?.close());

  const logIn = (username: string, secret = password) =>
    asVisitor(gallery).post('/api/auth/login', { username, password: secret });

  for (const [name, [before, after]] of Object.entries(surroundings)) {
    test(`signs in: ${name}`, async () => {
      for (const typed of ['ann', 'ann@example.org'])
        assert.equal(assertWritten(await logIn(before + typed + after)).user.id, ann.id);
    });

    test(`registers without them: ${name}`, async () => {
      const plain = `new-${Object.keys(surroundings).indexOf(name)}`;
      const answer = await asVisitor(gallery).post('/api/auth/register', {
        username: before + plain + after,
        email: `${before}${plain}@example.org${after}`,
        password,
      });
      const { user } = assertWritten(answer);
      assert.deepEqual([user.username, user.email], [plain, `${plain}@example.org`]);
    });
  }

  test('counts no failed attempt when the name is right', async () => {
    for (let n = 0; n < 15; n++) assertWritten(await logIn(' ann '));
  });

  test('leaves the blanks of a password alone', async () => {
    assertRefused(await logIn('ann', `${password} `), 401, 10003);
    const spaced = ' two blanks around ';
    const answer = await asVisitor(gallery).post('/api/auth/register', {
      username: 'spaced',
      email: 'spaced@example.org',
      password: spaced,
    });
    assertWritten(answer);
    assertWritten(await logIn('spaced', spaced));
    assertRefused(await logIn('spaced', spaced.trim()), 401, 10003);
  });

  test('still refuses blanks inside, a name of blanks alone, and a name that is too long', async () => {
    const answer = await asVisitor(gallery).post('/api/auth/register', {
      username: 'an n',
      email: '   ',
      password,
    });
    assert.equal(answer.status, 400);
    assert.deepEqual(Object.keys(answer.body.errors).sort(), ['email', 'username']);
    assert.equal((await logIn('   ')).status, 400);
    const started = performance.now();
    assert.equal((await logIn(`ann${' '.repeat(60_000)}x`)).status, 400);
    assert.ok(performance.now() - started < 5000);
  });

  test('finds the account of a new email, an invite, a search of an admin and a deletion', async () => {
    assertWritten(await ann.put('/api/auth/email', { email: ' ann-2@example.org\t', password }));
    assert.equal(assertRead(await ann.get('/api/auth/user')).email, 'ann-2@example.org');
    const invite = assertWritten(await admin.post('/api/admin/invites', { email: ' guest@example.org ' }));
    assert.equal(invite.email, 'guest@example.org');
    const found = assertRead(await admin.get(`/api/admin/users?keyword=${encodeURIComponent(' ann-2 ')}`));
    assert.equal(found.pagination.total, 1);
    const key = assertWritten(await ann.post('/api/auth/tokens', { name: ' Photo frame ' }));
    assert.equal(key.name, 'Photo frame');
  });
});
