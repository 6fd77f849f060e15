/** Tests malicious names, email addresses, passwords and profiles. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { trimBlanks } from '../../../server/platform/schema/line.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  assertNamesField,
  assertNoLeak,
  assertPrototypeUntouched,
  describeValue,
  payloads,
  withoutPayloads,
} from '../../support/payloads.ts';
import { asVisitor, type Person, password, register } from '../../support/people.ts';

/** Texts that are no email addresses, even if quoted or dotless addresses were allowed. */
const noEmails = ['@', 'a@', '@b.c', 'a b@c.d', 'a@b.c\r\nBcc: x@y.z', 'a@b.c,d@e.f'];
const emails = ['a@b.c', 'a+b@c.d', 'a@xn--e1afmkfd.xn--p1ai'];
/** Maximum bytes of a request body: 128 KB. */
const largestBody = 128 * 1024;

describe('nasty accounts', { skip: withoutPayloads }, () => {
  let gallery: Gallery;
  let mallory: Person;

  before(async () => {
    gallery = await startGallery();
    mallory = await register(gallery, 'mallory');
    await register(gallery, 'admin');
  });
  after(() => gallery?.close());
  afterEach(assertPrototypeUntouched);

  test('usernames are taken as they are, refused, or 10001', async () => {
    const before = await countUsers();
    let made = 0;
    for (const [number, username] of payloads.usernames.entries()) {
      const answer = await open({ username, email: `name${number}@example.org`, password });
      assertNoLeak(answer, username);
      const kept = trimBlanks(username);
      if (!/^[A-Za-z0-9_-]{3,20}$/.test(kept)) assertNamesField('username', answer, username);
      else if (kept.toLowerCase() === 'admin') assert.equal(answer.body.code, 10001);
      else assert.equal(answer.body.data.user.username, kept);
      if (answer.status === 200) made++;
    }
    assert.ok(made >= 3);
    assert.equal((await countUsers()) - before, made);
  });

  test('emails are taken as they are, refused, or 10002', async () => {
    for (const [number, email] of payloads.emails.entries()) {
      const answer = await open({ username: `email${number}`, email, password });
      assertNoLeak(answer, email);
      if (noEmails.includes(email) || email.length > 254) assertNamesField('email', answer, email);
      else if (emails.includes(email)) assert.equal(answer.body.data.user.email, email);
      else if (email === 'A@B.C') assert.equal(answer.body.code, 10002);
      else if (answer.status !== 200) assertNamesField('email', answer, email);
    }
  });

  test('passwords open the account whole, and no other does', async () => {
    for (const [number, given] of payloads.passwords.entries()) {
      const username = `pass${number}`;
      const answer = await open({ username, email: `${username}@example.org`, password: given });
      assertNoLeak(answer, given);
      if (typeof given === 'string' && given.length > largestBody) {
        assert.equal(answer.status, 413);
      } else if (typeof given !== 'string' || [...given].length < 6 || [...given].length > 128) {
        assertNamesField('password', answer, given);
      } else if (answer.status === 200) {
        assert.equal((await login(username, given)).status, 200, describeValue(given));
        // Shorter and longer passwords must be refused: the server must not cut a password at 72 bytes or a
        // NUL, or trim it.
        for (const other of [`${given}x`, given.slice(0, -1), given.trim(), given.split('\0')[0]!]) {
          if (other === given || other === '') continue;
          assert.equal(
            (await login(username, other)).body.code,
            10003,
            `${describeValue(other)} for ${describeValue(given)}`,
          );
        }
      } else assertNamesField('password', answer, given);
    }
  });

  test('logins are refused whatever they hold', async () => {
    const names = [...payloads.strings, ...payloads.keywords, ...payloads.emails];
    for (const username of names) {
      const answer = await login(username, 'not the password');
      assertNoLeak(answer, username);
      assert.ok([400, 401, 413, 429].includes(answer.status), describeValue(username));
    }
    for (const given of [...payloads.passwords, ...payloads.gender, { $ne: null }]) {
      const answer = await asVisitor(gallery).post('/api/auth/login', {
        username: 'mallory',
        password: given,
      });
      assertNoLeak(answer, given);
      assert.notEqual(answer.status, 200);
      const answerForName = await asVisitor(gallery).post('/api/auth/login', {
        username: given,
        password,
      });
      assertNoLeak(answerForName, given);
      assert.notEqual(answerForName.status, 200);
    }
  });

  test('profiles are kept to the letter, or 400 naming the field', async () => {
    for (const [field, max] of [
      ['nickname', 50],
      ['bio', 500],
      ['mobile', 20],
    ] as const) {
      for (const value of payloads.strings) {
        const answer = await mallory.put('/api/auth/profile', { [field]: value });
        assertNoLeak(answer, value);
        const hasControl = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(value);
        if (value.length > largestBody) assert.equal(answer.status, 413);
        else if (hasControl || !value.isWellFormed() || [...value].length > max) {
          assertNamesField(field, answer, value);
        } else {
          assert.equal(answer.status, 200, describeValue(value));
          const kept = field === 'nickname' ? trimBlanks(value) : value;
          assert.equal((await mallory.get('/api/auth/user')).body.data[field], kept);
        }
      }
    }
  });

  test('genders and birthdays are 400 naming the field', async () => {
    for (const gender of payloads.gender) {
      const answer = await mallory.put('/api/auth/profile', { gender });
      assertNoLeak(answer, gender);
      if (gender === null) assert.equal(answer.status, 200);
      else assertNamesField('gender', answer, gender);
    }
    for (const birthday of payloads.dates) {
      const answer = await mallory.put('/api/auth/profile', { birthday });
      assertNoLeak(answer, birthday);
      const isTaken = birthday === '' || birthday === null || birthday === '1900-01-01';
      if (isTaken) assert.equal(answer.status, 200, describeValue(birthday));
      else assertNamesField('birthday', answer, birthday);
    }
    const { gender } = (await mallory.get('/api/auth/user')).body.data;
    assert.equal(gender, 0);
  });

  test('cause no server errors', () => assert.deepEqual(gallery.complaints(), []));

  function open(account: object) {
    return asVisitor(gallery).post('/api/auth/register', account);
  }

  function login(username: string, given: string) {
    return asVisitor(gallery).post('/api/auth/login', { username, password: given });
  }

  async function countUsers(): Promise<number> {
    const users = await gallery.deps.db.kysely.selectFrom('users').select('id').execute();
    return users.length;
  }
});
