/** A real SMTP server for tests, which stores mails and responds as a test wants. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { composeAccountMail } from '../../server/gallery/accounts/recovery/compose.ts';
import { startMailing } from '../../server/gallery/mail/dispatcher.ts';
import { mailQueuedEvent } from '../../server/gallery/mail/signals.ts';
import { assertRefused } from './assert-answers.ts';
import { eventually } from './gallery-counts.ts';
import { type Gallery, startGallery } from './harness.ts';
import type { Answer } from './people.ts';

const timeoutMs = 60_000;

export interface ReceivedMail {
  /** Sender email address of the SMTP envelope. */
  from: string;
  to: string[];
  raw: string;
  mail: Email;
}

/** An SMTP server. A response with a status of 400 or more refuses the mail. */
export interface MailServer {
  url: string;
  received: ReceivedMail[];
  /** Returns the status for a receiver or a message. The sender waits for the status. */
  answer(stage: 'rcpt' | 'data', to: string): number | Promise<number>;
  /** Waits for the newest mail to this email address, after the first `after` mails. */
  latest(to: string, after?: number): Promise<ReceivedMail>;
  sentTo(to: string): ReceivedMail[];
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const createRefusal = (status: number) =>
    status < 400 ? null : Object.assign(new Error('refused'), { responseCode: status });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      Promise.resolve(place.answer('rcpt', address)).then((status) => done(createRefusal(status)), done);
    },
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      const from = session.envelope.mailFrom;
      buffer(stream)
        .then(async (bytes) => {
          const mail = await PostalMime.parse(bytes);
          const refused = createRefusal(await place.answer('data', to[0]!));
          if (!refused)
            place.received.push({ from: from ? from.address : '', to, raw: bytes.toString(), mail });
          done(refused);
        })
        .catch(done);
    },
  });
  // Ignores errors of connections whose sender was killed, because an unhandled error would end the test.
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const place: MailServer = {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    received: [],
    answer: () => 250,
    sentTo: (to) => place.received.filter((one) => one.to.includes(to)),
    async latest(to, after = 0) {
      await eventually(async () => {
        assert.ok(place.sentTo(to).length > after, `no mail to ${to}`);
      }, timeoutMs);
      return place.sentTo(to).at(-1)!;
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
  return place;
}

export interface GalleryWithMail {
  gallery: Gallery;
  server: MailServer;
  close(): Promise<void>;
}

export const publicUrl = 'https://photos.example.org';

/** Starts a gallery that sends mail to its own SMTP server. */
export async function startGalleryWithMail(
  dispatchers = 1,
  settings: Parameters<typeof startGallery>[0] = {},
): Promise<GalleryWithMail> {
  const server = await startMailServer();
  const mail = { url: server.url, from: 'The Smiths ★ <gallery@example.org>' };
  const gallery = await startGallery({
    mail,
    baseUrl: publicUrl,
    siteName: 'The Smiths ★',
    trustProxy: true,
    ...settings,
  });
  const stops = Array.from({ length: dispatchers }, () => startMailing(gallery.deps, composeAccountMail));
  return {
    gallery,
    server,
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      await gallery.close();
      await server.close();
    },
  };
}

/** Returns the token of the only link in the mail. */
export function readLinkToken({ mail }: ReceivedMail, path: string, base = publicUrl): string {
  const links = [...(mail.text ?? '').matchAll(/https?:\/\/\S+/g)].map(([link]) => link);
  assert.equal(links.length, 1, String(mail.text));
  const link = links[0]!;
  assert.ok(link.startsWith(base + path), link);
  assert.ok(mail.html?.includes(`href="${link}"`), String(mail.html));
  const token = link.slice((base + path).length);
  assert.match(token, /^[\w-]{43}$/);
  return token;
}

/** Asserts the error for an invalid or expired link. */
export function assertLinkInvalid(answer: Answer): void {
  assertRefused(answer, 403, 403);
  assert.match(answer.body.message, /invalid or has expired/);
}

/** Waits until no mail is due or being sent. */
export async function waitForMail({ deps }: Gallery): Promise<void> {
  await eventually(async () => {
    const waiting = await deps.db.kysely
      .selectFrom('mails')
      .select('id')
      .where('due_time', '<=', deps.clock() + 1)
      .execute();
    const taken = await deps.db.kysely
      .selectFrom('mails')
      .select('id')
      .where('status', '=', 'pending')
      .where('error', '=', '')
      .execute();
    assert.deepEqual([...waiting, ...taken], []);
  }, timeoutMs);
}

/** Moves the clock, and wakes the mail dispatcher. */
export function skipTime(gallery: Gallery, seconds: number): void {
  gallery.travel(seconds);
  gallery.deps.db.events.emit(mailQueuedEvent);
}
