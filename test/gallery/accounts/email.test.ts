/** Tests a change of the email address of an account by a link that is sent to the new email address. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { composeAccountMail } from '../../../server/gallery/accounts/recovery/compose.ts';
import { assertDone, assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import type { Gallery } from '../../support/harness.ts';
import {
  assertLinkInvalid,
  type GalleryWithMail,
  readLinkToken,
  startGalleryWithMail,
  waitForMail,
} from '../../support/mail.ts';
import { asVisitor, createPerson, type Person, password, postFrom, register } from '../../support/people.ts';

let address = 0;
let number = 0;
const newPassword = 'another horse 8';

beforeEach(() => {
  address++;
});

describe('another address', () => {
  let posted: GalleryWithMail;
  let gallery: Gallery;

  before(async () => {
    posted = await startGalleryWithMail();
    gallery = posted.gallery;
  });
  after(() => posted.close());

  const someone = () => register(gallery, `mover${++number}`);
  const change = (who: Person, email: string, secret = password) =>
    who.put('/api/auth/email', { email, password: secret });
  const confirm = (token: string) =>
    postFrom(gallery, `198.18.4.${address}`, '/api/auth/email/confirm', { token });
  const current = async (who: Person) => assertRead(await who.get('/api/auth/user')).email;

  test('counts when its link is opened; both addresses hear of it', async () => {
    const who = await someone();
    const [before, email] = [`${who.name}@example.org`, `new${number}@example.org`];
    assert.deepEqual(assertWritten(await change(who, email)), { email: before });
    const token = readLinkToken(await posted.server.latest(email), '/confirm-email#');
    assert.equal(await current(who), before);
    assert.deepEqual(assertWritten(await confirm(token)), { email, email_confirmed: false });
    assert.equal(await current(who), email);
    const told = await posted.server.latest(before);
    assert.match(told.mail.subject!, /email.*was changed/);
    assert.ok(!told.raw.includes(email), 'the address before does not learn the new one');
    assertLinkInvalid(await confirm(token));
    assertWritten(await asVisitor(gallery).post('/api/auth/login', { username: email, password }));
  });

  test('mails at most five an hour, however many strangers somebody names', async () => {
    const who = await someone();
    const stranger = (n: number) => `stranger${n}-${number}@example.org`;
    for (let n = 0; n < 5; n++) {
      assertWritten(await change(who, stranger(n)));
      await waitForMail(gallery);
    }
    const refused = await change(who, stranger(5));
    assertRefused(refused, 429, 429);
    const seconds = Number(refused.headers.get('retry-after'));
    assert.ok(seconds > 3000 && seconds <= 3600, `Retry-After: ${seconds}`);
    await waitForMail(gallery);
    for (let n = 0; n < 6; n++) assert.equal(posted.server.sentTo(stranger(n)).length, n < 5 ? 1 : 0);
    gallery.travel(3600);
    assertWritten(await change(who, stranger(5)));
  });

  test('counts links that were revoked before sending, and sends them no more', async () => {
    const who = await someone();
    const { kysely } = gallery.deps.db;
    const stranger = (n: number) => `waiting${n}-${number}@example.org`;
    for (let n = 0; n < 5; n++) {
      assertWritten(await change(who, stranger(n)));
      await waitForMail(gallery);
      // Delays the mail as if the mail server had been busy.
      await kysely
        .updateTable('mails')
        .set({ status: 'pending', due_time: gallery.deps.clock() + 3000 })
        .where('receiver', '=', stranger(n))
        .execute();
    }
    assertRefused(await change(who, stranger(5)), 429, 429);
    const rows = await kysely
      .selectFrom('mails')
      .select(['status', 'due_time'])
      .where('user_id', '=', who.id)
      .where('kind', '=', 'email')
      .orderBy('id')
      .execute();
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['dropped', 'dropped', 'dropped', 'dropped', 'pending'],
    );
    assert.ok(rows.slice(0, 4).every(({ due_time }) => due_time === null));
    await kysely.deleteFrom('mails').where('user_id', '=', who.id).execute();
  });

  test('sends no link when the password changes while the message is composed', async () => {
    const who = await someone();
    const { kysely } = gallery.deps.db;
    const email = `thief${number}@example.org`;
    assertWritten(await change(who, email));
    await waitForMail(gallery);
    // Delays the mail until tomorrow, so that only this test composes the mail.
    await kysely
      .updateTable('mails')
      .set({ status: 'pending', due_time: gallery.deps.clock() + 86_400 })
      .where('receiver', '=', email)
      .execute();
    const row = await kysely
      .selectFrom('mails')
      .selectAll()
      .where('receiver', '=', email)
      .executeTakeFirstOrThrow();
    assert.notEqual(await composeAccountMail(gallery.deps, row), undefined);
    const links = kysely.selectFrom('links').select('kind').where('user_id', '=', who.id);
    assertDone(await who.put('/api/auth/password', { old_password: password, new_password: newPassword }));
    assert.equal(await composeAccountMail(gallery.deps, row), undefined);
    assert.deepEqual(await links.execute(), []);
  });

  test('needs the password; an API key changes none', async () => {
    const who = await someone();
    assertRefused(await change(who, 'x@example.org', 'wrong'), 400, 10005);
    const { token } = assertWritten(
      await who.post('/api/auth/tokens', { name: 'k', scopes: ['read', 'write'] }),
    );
    assertRefused(await change(createPerson(gallery, 'k', token, who.id), 'x@example.org'), 403, 403);
  });

  test('counts wrong passwords together with those of changing the password', async () => {
    const who = await someone();
    for (let tries = 0; tries < 5; tries++) {
      assertRefused(await change(who, 'x@example.org', 'wrong'), 400, 10005);
      const wrong = { old_password: 'wrong', new_password: 'long enough' };
      assertRefused(await who.put('/api/auth/password', wrong), 400, 10005);
    }
    assertRefused(await change(who, 'x@example.org'), 429, 429);
  });

  test('the address of the registration is confirmed by a link, and nobody is told that it was changed', async () => {
    const who = await someone();
    const email = `${who.name}@example.org`;
    const isConfirmed = async () => assertRead(await who.get('/api/auth/user')).email_confirmed;
    assert.equal(await isConfirmed(), false);
    assert.deepEqual(assertWritten(await change(who, email)), { email });
    const token = readLinkToken(await posted.server.latest(email), '/confirm-email#');
    assert.equal(await isConfirmed(), false);
    const opened = await who.post('/api/auth/email/confirm', { token });
    assert.deepEqual(assertWritten(opened), { email, email_confirmed: true });
    assert.equal(await isConfirmed(), true);
    assertLinkInvalid(await confirm(token));
    await waitForMail(gallery);
    assert.equal(posted.server.sentTo(email).length, 1);
    // The same email address with other capital letters still belongs to the account.
    const capital = `Mover${number}@example.org`;
    assertWritten(await change(who, capital));
    const other = readLinkToken(await posted.server.latest(capital), '/confirm-email#');
    assertWritten(await confirm(other));
    assert.equal(await current(who), capital);
  });

  test('does not reveal whose account a link belongs to when it opens elsewhere', async () => {
    const [stranger, victim] = [await someone(), await someone()];
    const email = `${stranger.name}@example.org`;
    const isConfirmed = async () => assertRead(await stranger.get('/api/auth/user')).email_confirmed;
    for (const open of [confirm, (token: string) => victim.post('/api/auth/email/confirm', { token })]) {
      const before = posted.server.sentTo(email).length;
      assertWritten(await change(stranger, email));
      const token = readLinkToken(await posted.server.latest(email, before), '/confirm-email#');
      assert.deepEqual(assertWritten(await open(token)), { email, email_confirmed: false });
      assert.equal(await isConfirmed(), false);
    }
    // A second email address that is changed by a link opened outside the account is not marked as confirmed
    // either.
    assertWritten(await change(stranger, `of-${email}`));
    assertWritten(await confirm(readLinkToken(await posted.server.latest(`of-${email}`), '/confirm-email#')));
    assert.equal(await current(stranger), `of-${email}`);
    assert.equal(await isConfirmed(), false);
  });

  test("answers the same for another's address, which gets no mail", async () => {
    const [who, other] = [await someone(), await someone()];
    const taken = `${other.name}@example.org`;
    const answer = await change(who, taken);
    const free = await change(who, `free${number}@example.org`);
    assert.deepEqual(answer.body, free.body);
    await posted.server.latest(`free${number}@example.org`);
    await waitForMail(gallery);
    assert.equal(posted.server.sentTo(taken).length, 0);
  });

  test('goes to the first of two accounts that confirms it', async () => {
    const [one, two] = [await someone(), await someone()];
    const email = `wanted${number}@example.org`;
    const tokens: string[] = [];
    for (const who of [one, two]) {
      assertWritten(await change(who, email));
      tokens.push(readLinkToken(await posted.server.latest(email, tokens.length), '/confirm-email#'));
    }
    assertWritten(await confirm(tokens[0]!));
    assertRefused(await confirm(tokens[1]!), 409, 10002);
    assert.deepEqual([await current(one), await current(two)], [email, `${two.name}@example.org`]);
  });

  test('revokes a waiting link when the password or the requested address changes', async () => {
    const who = await someone();
    assertWritten(await change(who, `first${number}@example.org`));
    const first = readLinkToken(await posted.server.latest(`first${number}@example.org`), '/confirm-email#');
    assertWritten(await change(who, `second${number}@example.org`));
    const second = readLinkToken(
      await posted.server.latest(`second${number}@example.org`),
      '/confirm-email#',
    );
    assertLinkInvalid(await confirm(first));
    assertDone(await who.put('/api/auth/password', { old_password: password, new_password: newPassword }));
    assertLinkInvalid(await confirm(second));
    assert.deepEqual(gallery.complaints(), []);
  });
});
