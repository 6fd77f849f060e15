/**
 * Kills a server while it sends mail. Another server must deliver every mail at least once, and must not
 * repeat mails without end.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { assertDone } from '../support/assert-answers.ts';
import { eventually } from '../support/gallery-counts.ts';
import { type MailServer, readLinkToken, startMailServer } from '../support/mail.ts';
import { asVisitor, register } from '../support/people.ts';
import { findFreePort } from '../support/postgres.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

/** Seconds that an attempt may last. After that, another server sends the mail of a process that died. */
const leaseSeconds = 300;

describe('mail of a server that is killed', () => {
  let dataDir: string;
  let mail: MailServer;
  let server: ServerProcess | undefined;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lightwell-mail-kill-'));
    mail = await startMailServer();
  });
  after(async () => {
    await server?.end('SIGKILL');
    await mail.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function start(later: number) {
    const port = await findFreePort();
    const environment = {
      PORT: String(port),
      SMTP_URL: mail.url,
      MAIL_FROM: 'gallery@example.org',
      BASE_URL: `http://localhost:${port}`,
    };
    return { base: environment.BASE_URL, ...(await startServer({ dataDir, later, environment })) };
  }

  function rows() {
    const database = new DatabaseSync(join(dataDir, 'lightwell.db'), { readOnly: true, timeout: 20_000 });
    try {
      return database.prepare('SELECT receiver, status, attempts FROM mails ORDER BY id').all();
    } finally {
      database.close();
    }
  }

  test('arrives once or twice with valid links, and the same text when it arrives twice', async () => {
    const first = await start(0);
    server = first;
    const people = Array.from({ length: 6 }, (_, number) => `killed${number}`);
    const addresses = people.map((name) => `${name}@example.org`);
    for (const name of people) await register(first, name);

    // The mail server accepts nothing until every request is acknowledged. Then it accepts the first mail,
    // and the sender dies before it gets the response.
    const acknowledged = Promise.withResolvers<void>();
    const killed = Promise.withResolvers<string>();
    mail.answer = async (stage, to) => {
      await acknowledged.promise;
      if (stage === 'data') {
        killed.resolve(to);
        assert.equal(await first.end('SIGKILL'), 'SIGKILL');
      }
      return 250;
    };
    for (const email of addresses) {
      assertDone(await asVisitor(first).post('/api/auth/forgot', { email }));
    }
    acknowledged.resolve();
    const taken = await killed.promise;
    assert.equal(await first.end('SIGKILL'), 'SIGKILL');
    await mail.latest(taken);
    assert.equal(rows().length, addresses.length, 'each was written before it was acknowledged');
    assert.ok(
      rows().every(({ status }) => status === 'pending'),
      'none is taken for sent',
    );

    mail.answer = () => 250;
    const second = await start(leaseSeconds + 60);
    server = second;
    await eventually(
      async () =>
        assert.deepEqual(
          rows().map(({ receiver, status }) => [receiver, status]),
          addresses.map((address) => [address, 'sent']),
        ),
      60_000,
    );
    for (const { attempts } of rows()) assert.ok(attempts === 1 || attempts === 2, String(attempts));
    for (const address of addresses) {
      const letters = mail.sentTo(address);
      assert.ok(letters.length === 1 || letters.length === 2, `${address}: ${letters.length}`);
      assert.equal(new Set(letters.map((letter) => letter.mail.messageId)).size, 1);
    }
    assert.equal(mail.sentTo(taken).length, 2);
    for (const address of addresses) {
      const token = readLinkToken(mail.sentTo(address).at(-1)!, '/reset#', second.base);
      assertDone(await asVisitor(second).post('/api/auth/reset', { token, password: 'another one' }));
    }
  });
});
