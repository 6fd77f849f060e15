/** Tests mail over a real SMTP server: its contents, its retries, and its limits. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ConfigError, readConfig } from '../../../server/config.ts';
import { maxWaitingMails, queueMail } from '../../../server/gallery/mail/outbox.ts';
import type { MailKind } from '../../../server/platform/db/tables.ts';
import { maxOutboxAttempts } from '../../../server/platform/outbox/dispatcher.ts';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { assertDone, assertRead, assertWritten } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import {
  type GalleryWithMail,
  publicUrl,
  readLinkToken,
  skipTime,
  startGalleryWithMail,
  waitForMail,
} from '../../support/mail.ts';
import { asVisitor, type Person, register, registerAdmin } from '../../support/people.ts';

let address = 0;
let number = 0;

/** Requests a password link from another IP address each time, with the given headers. */
const forgot = ({ gallery }: GalleryWithMail, email: string, headers: Record<string, string> = {}) =>
  asVisitor(gallery).send('POST', '/api/auth/forgot', {
    body: JSON.stringify({ email }),
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': `198.18.2.${++address % 250}`,
      ...headers,
    },
  });

describe('mail', () => {
  let posted: GalleryWithMail;
  let root: Person;

  before(async () => {
    posted = await startGalleryWithMail(3);
    root = await registerAdmin(posted.gallery, 'root');
    await register(posted.gallery, 'ansel');
  });
  after(() => posted.close());
  beforeEach(async () => {
    posted.server.answer = () => 250;
    await posted.gallery.deps.db.kysely.deleteFrom('mails').execute();
    posted.server.received.length = 0;
  });

  /** Registers a new user for each test, because mail limits count per account. */
  const someone = async () => `${(await register(posted.gallery, `person${++number}`)).name}@example.org`;
  const rows = () => posted.gallery.deps.db.kysely.selectFrom('mails').selectAll().orderBy('id').execute();

  test('comes from MAIL_FROM, as text and as HTML, with a link to the public address, whatever Host says', async () => {
    assert.equal(assertRead(await asVisitor(posted.gallery).get('/api/site')).mail, true);
    const answer = await forgot(posted, 'ANSEL@example.org', {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'https',
    });
    assertDone(answer);
    const letter = await posted.server.latest('ansel@example.org');
    const { mail } = letter;
    assert.equal(letter.from, 'gallery@example.org');
    assert.deepEqual(mail.from, { name: 'The Smiths ★', address: 'gallery@example.org' });
    assert.deepEqual(
      mail.to?.map((one) => one.address),
      ['ansel@example.org'],
    );
    assert.equal(mail.subject, 'Reset your password for The Smiths ★');
    assert.match(mail.text!, /Hello ansel/);
    assert.match(mail.html!, /<html lang="en">/);
    assert.doesNotMatch(letter.raw, /evil/);
    const token = readLinkToken(letter, '/reset#');
    await waitForMail(posted.gallery);
    const { kysely } = posted.gallery.deps.db;
    const kept = [await rows(), await kysely.selectFrom('links').selectAll().execute()];
    assert.ok(!JSON.stringify(kept).includes(token), 'the database has no link');
    assert.deepEqual(posted.gallery.complaints(), []);
  });

  test('an invite for an address is sent there; its link registers', async () => {
    const made = assertWritten(await root.post('/api/admin/invites', { email: 'dora@example.org' }));
    assert.ok(made.url.startsWith(`${publicUrl}/join/`));
    const letter = await posted.server.latest('dora@example.org');
    const invite = readLinkToken(letter, '/join/');
    assert.notEqual(invite, made.token);
    const dora = { username: 'dora', email: 'dora@example.org', password: 'long enough', invite };
    assertWritten(await asVisitor(posted.gallery).post('/api/auth/register', dora));
    const again = await asVisitor(posted.gallery).post('/api/auth/register', {
      ...dora,
      username: 'd2',
      invite: made.token,
    });
    assert.equal(again.body.code, 400, 'd2 is too short');
    const late = await asVisitor(posted.gallery).post('/api/auth/register', {
      ...dora,
      username: 'dora2',
      invite: made.token,
    });
    assert.equal(late.body.code, 10007, 'both links are of one invite');
  });

  test('turns no typed text into a header, a second receiver or HTML', async () => {
    const email = await someone();
    const wild = [
      'a@example.org\r\nBcc: b@example.org',
      'a@example.org,b@example.org',
      'a@example.org, b@example.org',
      '"a\r\nBcc: b"@example.org',
      '<a@example.org>',
      'a@example.org>\r\nRCPT TO:<b@example.org',
      'a@[127.0.0.1]',
    ];
    for (const email of wild) assert.equal((await forgot(posted, email)).body.code, 400, email);
    assert.deepEqual(await rows(), []);
    posted.gallery.deps.config.siteName = '<b>"Bold" & co</b>';
    assertDone(await forgot(posted, email));
    const { mail } = await posted.server.latest(email);
    posted.gallery.deps.config.siteName = 'The Smiths ★';
    assert.equal(mail.subject, 'Reset your password for <b>"Bold" & co</b>');
    assert.ok(mail.html!.includes('&lt;b&gt;&quot;Bold&quot; &amp; co&lt;/b&gt;'));
    assert.ok(!mail.html!.includes('<b>'));
    assert.equal(mail.headers.filter(({ key }) => key === 'bcc' || key === 'cc').length, 0);
  });

  test('is tried again while the server fails, and sent once it works', async () => {
    const email = await someone();
    posted.server.answer = () => 451;
    assertDone(await forgot(posted, email));
    await eventually(async () => {
      const [row] = await rows();
      assert.match(row?.error ?? '', /^[A-Z]+ 451$/);
      assert.equal(row!.status, 'pending');
    });
    posted.server.answer = () => 250;
    skipTime(posted.gallery, 60);
    await posted.server.latest(email);
    await eventually(async () =>
      assert.deepEqual(
        (await rows()).map(({ status }) => status),
        ['sent'],
      ),
    );
    assert.ok((await rows())[0]!.attempts >= 2);
    const line = posted.gallery.complaints().find((one) => one.includes('mail could not be sent'));
    assert.ok(
      line && !line.includes('ansel@') && !line.includes('#'),
      'the log names neither address nor link',
    );
  });

  test('a server that is not there, or refuses our password, loses nothing', async () => {
    const email = await someone();
    const { mail } = posted.gallery.deps.config;
    assert.ok(mail);
    posted.server.answer = () => 421;
    assertDone(await forgot(posted, email));
    await eventually(async () => assert.notEqual((await rows())[0]?.error, ''));
    assert.equal((await rows())[0]!.status, 'pending');
    skipTime(posted.gallery, 7 * 3600);
    await eventually(async () => assert.equal((await rows())[0]?.status, 'failed'));
    assert.equal((await rows())[0]!.due_time, null, 'after hours it is given up');
    assert.equal(posted.server.received.length, 0);
  });

  test('is not sent again after a server refused it for good', async () => {
    const email = await someone();
    posted.server.answer = (stage) => (stage === 'rcpt' ? 550 : 250);
    assertDone(await forgot(posted, email));
    await eventually(async () => assert.equal((await rows())[0]?.status, 'failed'));
    assert.deepEqual([(await rows())[0]!.attempts, (await rows())[0]!.error], [1, 'EENVELOPE 550']);
  });

  test('is given up after so many attempts that no process recorded', async () => {
    const { deps } = posted.gallery;
    const [last, over] = [await someone(), await someone()];
    await deps.db.kysely.transaction().execute(async (transaction) => {
      for (const [receiver, attempts] of [
        [last, maxOutboxAttempts - 1],
        [over, maxOutboxAttempts],
      ] as const) {
        await queueMail(deps, transaction, { kind: 'reset', receiver, language: 'en' });
        await transaction.updateTable('mails').set({ attempts }).where('receiver', '=', receiver).execute();
      }
    });
    await posted.server.latest(last);
    await waitForMail(posted.gallery);
    const kept = (await rows()).map(({ receiver, status, attempts, due_time, error }) => ({
      receiver,
      ended: [status, attempts, due_time, error],
    }));
    assert.deepEqual(kept, [
      { receiver: last, ended: ['sent', maxOutboxAttempts, null, ''] },
      { receiver: over, ended: ['failed', maxOutboxAttempts + 1, null, 'ABORTED'] },
    ]);
    assert.deepEqual(posted.server.sentTo(over), []);
  });

  test('several servers send each once', async () => {
    const people = await Promise.all(
      Array.from({ length: 8 }, (_, at) => register(posted.gallery, `many${at}`)),
    );
    await Promise.all(
      people.map(async ({ name }) => assertDone(await forgot(posted, `${name}@example.org`))),
    );
    for (const { name } of people) await posted.server.latest(`${name}@example.org`);
    await waitForMail(posted.gallery);
    for (const { name } of people) assert.equal(posted.server.sentTo(`${name}@example.org`).length, 1);
    assert.deepEqual(
      new Set((await rows()).map(({ status, attempts }) => `${status} ${attempts}`)),
      new Set(['sent 1']),
    );
  });

  test('an address gets five of a kind an hour, and no more wait than there may', async () => {
    const { deps } = posted.gallery;
    const write = (receiver: string, kind: MailKind = 'reset') =>
      deps.db.kysely
        .transaction()
        .execute((transaction) => queueMail(deps, transaction, { kind, receiver, language: 'en' }));
    for (let n = 0; n < 8; n++) await write(n % 2 ? 'ansel@example.org' : 'Ansel@Example.org');
    assert.equal((await rows()).length, 5);
    await waitForMail(posted.gallery);
    skipTime(posted.gallery, 3601);
    await write('ansel@example.org');
    assert.equal((await rows()).length, 6, 'an hour later there is room again');
    const full = {
      kind: 'reset',
      receiver: 'x',
      receiver_key: 'x',
      language: 'en',
      status: 'pending',
    } as const;
    const due = {
      attempts: 0,
      due_time: deps.clock() + 9e6,
      give_up_time: 9e9,
      last_attempt_time: null,
      error: '',
    };
    const many = Array.from({ length: 1000 }, () => ({ ...full, ...due, create_time: deps.clock() }));
    for (let n = 0; n < maxWaitingMails / 1000; n++)
      await deps.db.kysely.insertInto('mails').values(many).execute();
    await write('dora@example.org');
    await write('dora@example.org', 'invite');
    await write('dora@example.org', 'password_changed');
    assert.deepEqual(
      (await rows()).filter(({ receiver }) => receiver === 'dora@example.org').map(({ kind }) => kind),
      ['password_changed'],
      'links that somebody asked for leave room for notices of safety',
    );
  });

  test('is deleted a day after it was sent; /metrics has its figures', async () => {
    const { deps } = posted.gallery;
    await deps.db.kysely.transaction().execute(async (transaction) => {
      const revoked = {
        kind: 'invite',
        receiver: 'late@example.org',
        language: 'en',
        invite_id: null,
      } as const;
      await queueMail(deps, transaction, revoked);
    });
    await eventually(async () => assert.equal((await rows())[0]?.status, 'dropped'), 60_000);
    const metrics = (await asVisitor(posted.gallery).get('/metrics')).bytes.toString();
    assert.match(metrics, /lightwell_mail_attempts_total\{outcome="sent"\} [1-9]/);
    assert.match(metrics, /lightwell_mail_attempts_total\{outcome="dropped"\} [1-9]/);
    assert.match(metrics, /lightwell_mail_waiting 0/);
    posted.gallery.travel(86_401);
    await runMaintenance(posted.gallery.deps, { graceSeconds: undefined });
    assert.deepEqual(await rows(), []);
  });
});

test('SMTP_URL needs a sender and the public address', () => {
  const mistakes = (env: Record<string, string>) => {
    try {
      readConfig(env);
      return [];
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return error.mistakes.map((mistake) => mistake.split(' because')[0]);
    }
  };
  const SMTP_URL = 'smtps://user:pass@mail.example.org';
  assert.deepEqual(mistakes({ SMTP_URL }), ['SMTP_URL needs MAIL_FROM', 'SMTP_URL needs BASE_URL,']);
  const complete = {
    SMTP_URL,
    MAIL_FROM: 'Gallery <gallery@example.org>',
    BASE_URL: 'https://photos.example.org',
  };
  assert.deepEqual(mistakes(complete), []);
  assert.deepEqual(readConfig(complete).mail, { url: SMTP_URL, from: complete.MAIL_FROM });
  assert.equal(readConfig({}).mail, undefined);
  assert.equal(mistakes({ ...complete, SMTP_URL: 'http://x' }).length, 1);
  assert.equal(mistakes({ ...complete, MAIL_FROM: 'nobody' }).length, 2);
});
