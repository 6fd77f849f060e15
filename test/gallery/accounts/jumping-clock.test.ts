/**
 * Tests a clock that was a day ahead for a moment: after its correction nobody is locked out, and nothing
 * stays valid for longer.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Secret, TOTP } from 'otpauth';
import { createOneTimeLink, findOneTimeLink } from '../../../server/gallery/accounts/links.ts';
import { consumeOidcFlowCookie, setOidcFlowCookie } from '../../../server/gallery/accounts/oidc/flow.ts';
import { requireUnusedPasskeyChallenge } from '../../../server/gallery/accounts/passkeys/challenges.ts';
import { createSetupCode } from '../../../server/gallery/accounts/setup.ts';
import { createAttemptRecorder } from '../../../server/gallery/identity/attempts/recorder.ts';
import { createShareAccess, isShareAccessValid } from '../../../server/gallery/shares/access.ts';
import { createRateLimiters } from '../../../server/platform/http/rate-limiters.ts';
import { resetFutureDueTimes } from '../../../server/platform/outbox/lease.ts';
import { runMaintenance } from '../../../server/tools/maintenance/maintenance.ts';
import { assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { eventually } from '../../support/gallery-counts.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import { asVisitor, type Person, password, register } from '../../support/people.ts';

const day = 86_400;

describe('after a clock that was a day ahead', () => {
  let gallery: Gallery;
  let owner: Person;

  before(async () => {
    gallery = await startGallery({ sessionIdle: 3600 });
    owner = await register(gallery, 'owner');
  });
  after(() => gallery.close());

  async function aDayAhead<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    gallery.travel(day);
    const result = await work();
    gallery.travel(-day);
    return result;
  }

  test('codes of an authenticator app stay valid although a later one was used', async () => {
    const who = await register(gallery, 'ansel');
    const { secret } = assertWritten(await who.post('/api/auth/totp', { password }));
    const code = () =>
      TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: gallery.deps.clock() * 1000 });
    assertWritten(await who.post('/api/auth/totp/confirm', { code: code() }));
    const signIn = async () => {
      const login = await asVisitor(gallery).post('/api/auth/login', { username: who.name, password });
      const { challenge } = login.body.data;
      return asVisitor(gallery).post('/api/auth/login/second', { challenge, code: code() });
    };
    await aDayAhead(async () => assertWritten(await signIn()));
    gallery.travel(60);
    assertWritten(await signIn());
    assertRefused(await signIn(), 400, 10009);
  });

  test('a used code is invalid when its time comes a second time', async () => {
    const who = await register(gallery, 'twice');
    const { secret } = assertWritten(await who.post('/api/auth/totp', { password }));
    const code = () =>
      TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: gallery.deps.clock() * 1000 });
    assertWritten(await who.post('/api/auth/totp/confirm', { code: code() }));
    const signIn = async () => {
      const login = await asVisitor(gallery).post('/api/auth/login', { username: who.name, password });
      const { challenge } = login.body.data;
      return asVisitor(gallery).post('/api/auth/login/second', { challenge, code: code() });
    };
    const { clock } = gallery.deps;
    const now = clock() + 3600;
    gallery.deps.clock = () => now;
    assertWritten(await signIn());
    // Moves the clock ahead and back. Each code is accepted once, and a code that was used before the
    // correction is refused.
    gallery.deps.clock = () => now + 1200;
    assertWritten(await signIn());
    gallery.deps.clock = () => now;
    assertRefused(await signIn(), 400, 10009);
    gallery.deps.clock = () => now + 60;
    assertWritten(await signIn());
    gallery.deps.clock = () => now + 1200;
    assertRefused(await signIn(), 400, 10009);
    gallery.deps.clock = () => now + 1260;
    assertWritten(await signIn());
    gallery.deps.clock = clock;
  });

  test('links and confirmed passwords are not valid for a day longer', async () => {
    const { deps } = gallery;
    const { kysely } = deps.db;
    const make = async () => ({
      link: await createOneTimeLink(deps, kysely, {
        kind: 'reset',
        user_id: owner.id,
        expire_time: deps.clock() + 3600,
      }),
      access: createShareAccess(share, deps.clock(), deps.secret),
    });
    const share = { token: 'a token', password_hash: 'a hash' };
    const isGood = async ({ link, access }: Awaited<ReturnType<typeof make>>) => [
      (await findOneTimeLink(deps, kysely, 'reset', link)) !== undefined,
      isShareAccessValid(access, share, deps.clock(), deps.secret),
    ];
    assert.deepEqual(await isGood(await make()), [true, true]);
    const ahead = await aDayAhead(async () => {
      const made = await make();
      assert.deepEqual(await isGood(made), [true, true]);
      return made;
    });
    assert.deepEqual(await isGood(ahead), [false, false]);
  });

  test('a used challenge stays invalid', async () => {
    const { deps } = gallery;
    const use = (name: string) =>
      deps.db.kysely.transaction().execute((transaction) => {
        const challenge = `${name}.${deps.clock() + 300}.signature`;
        return requireUnusedPasskeyChallenge(deps, transaction, Buffer.from(challenge).toString('base64url'));
      });
    const { clock } = deps;
    const now = clock();
    deps.clock = () => now;
    await use('one');
    deps.clock = () => now + day;
    await use('other');
    deps.clock = () => now;
    await assert.rejects(use('one'), /already used/);
    deps.clock = clock;
  });

  test('sessions go on, and those that were used meanwhile end as ever when they are idle', async (context) => {
    const idle = await startGallery({ sessionIdle: 36 * 3600 });
    context.after(idle.close);
    const { deps } = idle;
    const who = await register(idle, 'who');
    idle.travel(day);
    assert.equal((await who.get('/api/auth/user')).status, 200);
    const lastUsed = async () =>
      (await deps.db.kysely.selectFrom('sessions').select('last_used_time').executeTakeFirstOrThrow())
        .last_used_time;
    await eventually(async () => assert.ok((await lastUsed())! > deps.clock() - 60));
    idle.travel(3 * day);
    await runMaintenance(deps, { graceSeconds: undefined });
    idle.travel(-4 * day);
    assert.equal((await who.get('/api/auth/user')).status, 200);
    await eventually(async () => assert.ok((await lastUsed())! <= deps.clock()));
  });

  test("the first admin's link and a started provider sign-in are not valid for a day longer", async (context) => {
    const fresh = await startGallery();
    context.after(fresh.close);
    const { deps } = fresh;
    const code = async () => {
      fresh.travel(day);
      const made = (await createSetupCode(deps))!;
      fresh.travel(-day);
      return made;
    };
    const who = await register(fresh, 'who');
    assertRefused(await who.post('/api/auth/setup', { setup: await code() }), 403, 403);

    const kept: string[] = [];
    const request = { headers: {}, host: 'localhost', protocol: 'http' } as unknown as FastifyRequest;
    const reply = { header: (_: string, text: string) => kept.push(text) } as unknown as FastifyReply;
    const flow = { state: 's', nonce: 'n', verifier: 'v', to: '/', session: 0 };
    const comeBack = () => {
      const [cookie] = kept.splice(0)[0]!.split(';');
      return consumeOidcFlowCookie(deps, { ...request, headers: { cookie } } as FastifyRequest, reply, 's');
    };
    setOidcFlowCookie(deps, request, reply, flow);
    assert.equal(comeBack()?.state, 's');
    kept.length = 0;
    fresh.travel(day);
    setOidcFlowCookie(deps, request, reply, flow);
    fresh.travel(-day);
    assert.equal(comeBack(), undefined);
  });

  test('rate limits tell nobody to wait for a day', async (context) => {
    const limiter = createRateLimiters(undefined)('jumping', 1);
    await limiter.consume('somebody');
    const { now } = Date;
    context.mock.method(Date, 'now', () => now() - day * 1000);
    const { isEmpty, ms } = await limiter.consume('somebody');
    assert.ok(isEmpty);
    assert.ok(ms <= 60_000, `${ms} ms`);
  });

  test('attempts are written to the audit log without delay', async (context) => {
    const recorder = createAttemptRecorder(gallery.deps);
    context.after(() => recorder.stop());
    const note = (address: string) =>
      recorder.record({
        action: 'login.password',
        outcome: 'refused',
        reason: 'password',
        account: undefined,
        email: '',
        address,
      });
    const isWritten = (address: string) =>
      eventually(async () => {
        const row = gallery.deps.db.kysely
          .selectFrom('audit_log')
          .select('id')
          .where('address', '=', address);
        assert.ok(await row.executeTakeFirst(), address);
      });
    const { now } = Date;
    const clock = context.mock.method(Date, 'now', () => now() + day * 1000);
    note('192.0.2.1');
    await isWritten('192.0.2.1');
    clock.mock.restore();
    note('192.0.2.2');
    await isWritten('192.0.2.2');
  });

  test('sends waiting messages at once instead of a day later', async () => {
    const { deps } = gallery;
    const { kysely } = deps.db;
    const now = deps.clock();
    const mail = (receiver: string, create_time: number, due_time: number | null) => ({
      ...{ receiver, create_time, due_time, receiver_key: receiver, kind: 'reset' as const, attempts: 0 },
      ...{ language: 'en' as const, status: 'pending' as const, give_up_time: due_time ?? 0, error: '' },
      ...{ user_id: owner.id, invite_id: null, last_attempt_time: null },
    });
    await kysely
      .insertInto('mails')
      .values([
        mail('ahead', now + day, now + day),
        mail('sent', now + day, null),
        mail('later', now, now + 9000),
      ])
      .execute();
    assert.equal(await resetFutureDueTimes(kysely, 'mails', now), 1);
    const rows = await kysely.selectFrom('mails').select(['receiver', 'due_time']).orderBy('id').execute();
    assert.deepEqual(
      rows.map(({ receiver, due_time }) => [receiver, due_time]),
      [
        ['ahead', now],
        ['sent', null],
        ['later', now + 9000],
      ],
    );
    assert.equal(await resetFutureDueTimes(kysely, 'webhook_deliveries', now), 0);
  });
});
