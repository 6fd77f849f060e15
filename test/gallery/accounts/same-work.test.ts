/**
 * Neither a response nor its duration shows whether an account exists. In both cases the server must send the
 * same SQL statements and compute the same hashes. The test counts statements and hashes, because times vary
 * by chance.
 */
import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { after, before, describe, test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { type GalleryWithMail, startGalleryWithMail } from '../../support/mail.ts';
import {
  type Answer,
  asVisitor,
  disableAccount,
  type Person,
  password,
  register,
} from '../../support/people.ts';

/** Tells whether a statement writes the attempt log, which happens in the background. */
const isOfTheLog = (statement: string) => /audit_log|"email_key" in \(/.test(statement);

describe('the work of a request with and without an account', () => {
  let posted: GalleryWithMail;
  let work: string[] = [];
  const hashes = createHook({
    init(_, type) {
      if (type === 'ARGON2REQUEST') work.push('argon2');
    },
  });

  before(async () => {
    // Starts the gallery without its mail job, so that only requests cause SQL statements.
    posted = await startGalleryWithMail(0);
    const { db } = posted.gallery.deps;
    const plain = db.kysely;
    const watch: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        const { sql } = plain.getExecutor().compileQuery(node, queryId);
        if (!isOfTheLog(sql)) work.push(sql);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    Object.assign(db, { kysely: plain.withPlugin(watch) });
  });
  after(async () => {
    hashes.disable();
    await posted.close();
  });

  /**
   * Sends the request. Returns the response, and the SQL statements and password hashes that the request
   * caused.
   */
  async function measure(request: () => Promise<Answer>) {
    work = [];
    hashes.enable();
    const { status, body, headers } = await request();
    hashes.disable();
    const names = [...headers.keys()].filter((name) => name !== 'content-length').sort();
    return { answer: { status, body, names }, work };
  }

  async function assertSame(requests: Record<string, () => Promise<Answer>>, least: RegExp[]): Promise<void> {
    const measured = [];
    for (const [name, request] of Object.entries(requests)) {
      measured.push({ name, ...(await measure(request)) });
    }
    const [first, ...others] = measured;
    for (const part of least)
      assert.ok(
        first!.work.some((step) => part.test(step)),
        first!.work.join('\n'),
      );
    for (const { name, answer, work } of others) {
      assert.deepEqual(answer, first!.answer, name);
      assert.deepEqual(work, first!.work, name);
    }
  }

  let number = 0;
  const someone = () => register(posted.gallery, `same${++number}`);
  const getEmail = (who: Person) => `${who.name}@example.org`;
  const free = () => `nobody${++number}@example.org`;
  /** Sends each request from another IP address, so that no rate limit applies. */
  const post = (path: string, body: object) =>
    asVisitor(posted.gallery).send('POST', path, {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `198.18.9.${++number % 250}` },
    });

  async function withoutPassword(): Promise<Person> {
    const who = await someone();
    const { kysely } = posted.gallery.deps.db;
    await kysely.updateTable('users').set({ password_hash: '' }).where('id', '=', who.id).execute();
    return who;
  }

  async function disabled(): Promise<Person> {
    const who = await someone();
    await disableAccount(posted.gallery, who);
    return who;
  }

  test('is the same for a forgotten password', async () => {
    const [known, gone, bare] = [await someone(), await disabled(), await withoutPassword()];
    const forgot = (email: string) => () => post('/api/auth/forgot', { email });
    await assertSame(
      {
        known: forgot(getEmail(known)),
        unknown: forgot(free()),
        disabled: forgot(getEmail(gone)),
        'without a password': forgot(getEmail(bare)),
      },
      [/insert into "mails"/],
    );
  });

  test('is the same for a wrong password', async () => {
    const [known, gone, bare] = [await someone(), await disabled(), await withoutPassword()];
    const login = (username: string) => () => post('/api/auth/login', { username, password: `${password}x` });
    await assertSame(
      {
        known: login(known.name),
        unknown: login(`no-${known.name}`),
        disabled: login(gone.name),
        'without a password': login(bare.name),
      },
      [/from "users"/, /^argon2$/],
    );
    await assertSame({ known: login(getEmail(known)), unknown: login(free()) }, [/from "users"/, /^argon2$/]);
  });

  test("is the same for another's address and a free one", async () => {
    const [who, other] = [await someone(), await someone()];
    const change = (email: string) => () => who.put('/api/auth/email', { email, password });
    await change(free())();
    await assertSame({ taken: change(getEmail(other)), free: change(free()) }, [
      /insert into "mails"/,
      /^argon2$/,
    ]);
  });

  test('is the same for a registration without an invite', async () => {
    const who = await someone();
    posted.gallery.deps.config.registration = 'invite';
    const invite = 'not-a-good-one';
    const join = (username: string, email: string, more: object) => () =>
      post('/api/auth/register', { username, email, password, ...more });
    for (const more of [{}, { invite }]) {
      await assertSame(
        {
          taken: join(who.name, getEmail(who), more),
          free: join(`fresh-${++number}`, free(), more),
        },
        'invite' in more ? [/from "links"/] : [],
      );
    }
    assert.deepEqual(posted.gallery.complaints(), []);
  });
});
