/** Tests that several tabs or people can return from the OpenID provider at the same time. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { lockAdmins } from '../../../server/gallery/accounts/last-admin.ts';
import { unlinkIdentities } from '../../../server/gallery/accounts/linked-identities.ts';
import {
  findOrCreateOidcAccount,
  linkAccountToProvider,
} from '../../../server/gallery/accounts/oidc/accounts.ts';
import { createOidcAccount } from '../../../server/gallery/accounts/oidc/create-account.ts';
import { insertUser } from '../../../server/gallery/accounts/store.ts';
import { markAccountDeleted } from '../../../server/gallery/admin/erase/erase.ts';
import { lockEnabledUser } from '../../../server/gallery/identity/users.ts';
import { commandLineActor } from '../../../server/gallery/moderation/audit.ts';
import type { Transaction } from '../../../server/platform/db/tables.ts';
import { errors } from '../../../server/platform/errors/catalogue.ts';
import { assertRead, assertRefused, assertWritten } from '../../support/assert-answers.ts';
import { createCookieBrowser } from '../../support/oidc.ts';
import type { Person } from '../../support/people.ts';
import { failInsteadOfWaiting, waitForLockWaiter } from '../../support/row-locks.ts';
import { beginPath, type ClubGallery, type ProviderRequest, startClub } from './oidc-gallery.ts';

describe('several at once who come from the OpenID provider', () => {
  let club: ClubGallery;
  let gallery: ClubGallery['gallery'];
  let root: Person;

  before(async () => {
    club = await startClub();
    ({ gallery, root } = club);
  });
  beforeEach(() => {
    gallery.deps.config.passwordLogin = true;
  });
  after(() => club.close());

  const findSession = ({ id }: Person) =>
    gallery.deps.db.kysely
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow();

  const inTransaction = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    gallery.deps.db.kysely.transaction().execute(work);

  /** Returns the claims that the provider sends for a new person. */
  const createClaims = (name: string) => ({
    ...{ iss: club.provider.issuer, sub: `sub-${name}`, email: `${name}@example.org` },
    ...{ email_verified: true, preferred_username: name, language: 'en' as const },
    groups: ['others'],
  });

  const enter = (name: string, invite?: string) =>
    findOrCreateOidcAccount(gallery.deps, createClaims(name), {
      attempt: { audited: undefined },
      link: { invite },
    });

  const readUses = async (id: number) =>
    assertRead(await root.get('/api/admin/invites')).list.find((row: { id: number }) => row.id === id).used;

  test('a second tab of the same person finds the account that the first one made, and uses no invite', async () => {
    const { token, id } = assertWritten(await root.post('/api/admin/invites', {}));
    gallery.deps.config.registration = 'invite';
    let second: ReturnType<typeof enter>;
    const made = await inTransaction(async (transaction) => {
      const first = await createOidcAccount(gallery.deps, transaction, createClaims('tabs'), {
        invite: token,
      });
      second = enter('tabs', token);
      await waitForLockWaiter(gallery);
      return first;
    });
    assert.equal((await second!).id, made.id);
    assert.equal(await readUses(id), 1);
    gallery.deps.config.registration = 'open';
  });

  test('join the same account when one tab links the person while the other registers', async () => {
    const who = await club.confirmed('byhand');
    const { token, id } = assertWritten(await root.post('/api/admin/invites', {}));
    const session = await findSession(who);
    const claims = { ...createClaims('elsewhere'), sub: 'sub-byhand-elsewhere' };
    const entered = findOrCreateOidcAccount(gallery.deps, claims, {
      attempt: { audited: undefined },
      link: { invite: token },
    });
    const tied = linkAccountToProvider(gallery.deps, { userId: who.id, sessionId: session.id }, claims).then(
      () => true,
      () => false,
    );
    const user = await entered;
    assert.equal(user.id === who.id, await tied, 'one person, one account');
    assert.equal(await readUses(id), user.id === who.id ? 0 : 1);
    const ties = gallery.deps.db.kysely
      .selectFrom('identities')
      .select('user_id')
      .where('subject', '=', claims.sub);
    assert.deepEqual(await ties.execute(), [{ user_id: user.id }]);
  });

  test('keep their accounts when somebody else takes the free name', async () => {
    let second: ReturnType<typeof enter>;
    await inTransaction(async (transaction) => {
      const other = { username: 'popular', email: 'other@elsewhere.example', passwordHash: '' };
      await insertUser(gallery.deps, other, transaction);
      second = enter('popular');
      await waitForLockWaiter(gallery);
    });
    assert.equal((await second!).username, 'popular-2');
  });

  test('keep their accounts when fifty others take similar names', async () => {
    const names = ['crowd', ...Array.from({ length: 49 }, (_, n) => `crowd-${n + 2}`)];
    for (const username of names)
      await insertUser(gallery.deps, { username, email: `${username}@elsewhere.example`, passwordHash: '' });
    assert.match((await enter('crowd')).username, /^crowd-[0-9a-f]{8}$/);
  });

  test('do not wait for each other when one unlinks an account and another signs in', async () => {
    const { id } = await enter('ended');
    let later: Promise<unknown>;
    await inTransaction(async (transaction) => {
      await lockEnabledUser(transaction, id);
      later = enter('ended').catch(() => undefined);
      await waitForLockWaiter(gallery);
      await failInsteadOfWaiting(transaction);
      assert.equal(await unlinkIdentities(transaction, id), 1);
    });
    await later!;
  });

  test('do not wait for each other when one locks the admins and another accepts an invite', async () => {
    const { token, id } = assertWritten(await root.post('/api/admin/invites', {}));
    let entered: ReturnType<typeof enter>;
    await inTransaction(async (transaction) => {
      await lockAdmins(transaction);
      entered = enter('claimed', token);
      await waitForLockWaiter(gallery);
      await failInsteadOfWaiting(transaction);
      await transaction.updateTable('invites').set({ max_uses: 2 }).where('id', '=', id).execute();
    });
    assert.equal((await entered!).username, 'claimed');
    assert.equal(await readUses(id), 1);
  });

  test('sign in by the later of two tabs, also where the earlier one returns first', async () => {
    club.provider.signIn('two-tabs', { email: 'two@example.org', preferred_username: 'two-tabs' });
    const browser = createCookieBrowser();
    const backIn = async () => {
      let url = gallery.url + beginPath;
      while (!url.startsWith(`${gallery.url}${beginPath}/callback`))
        url = new URL((await browser.visitUrl(url)).headers.get('location')!, url).href;
      return url;
    };
    const [earlier, later] = [await backIn(), await backIn()];
    assert.equal(await browser.travel(earlier, gallery.url), '/sign-in?problem=expired');
    assert.equal(await browser.travel(later, gallery.url), '/');
    assert.ok(browser.jars.get(gallery.url)!.has('lightwell_session'));
    assert.equal(await browser.travel(later, gallery.url), '/sign-in?problem=expired');
  });

  test('record the sign-in of a linked person, and link nobody else', async () => {
    const who = await club.confirmed('again');
    const session = await findSession(who);
    const connect = (name = 'again') =>
      linkAccountToProvider(gallery.deps, { userId: who.id, sessionId: session.id }, createClaims(name));
    const lastUsed = async () =>
      (
        await gallery.deps.db.kysely
          .selectFrom('identities')
          .select('last_used_time')
          .where('user_id', '=', who.id)
          .executeTakeFirstOrThrow()
      ).last_used_time;
    await connect();
    const before = await lastUsed();
    gallery.travel(100);
    await connect();
    assert.ok((await lastUsed()) >= before + 100);
    // An account can be linked to one provider user only, because its owner sees that it is linked, but not
    // with whom.
    await assert.rejects(connect('a-thief'), { code: errors.forbidden().code });
    assert.equal((await enter('a-thief')).username, 'a-thief', 'somebody else');
  });

  test('fail a second step of an account that is deleted at the same moment', async () => {
    const who = await club.confirmed('leaving');
    const codeNow = await club.withFactor(who);
    gallery.deps.config.passwordLogin = false;
    const asked = await club.returnFromProvider('g-1', { email: 'leaving@example.org', groups: ['keepers'] });
    let answer: ReturnType<ClubGallery['step']>;
    await gallery.deps.db.kysely.transaction().execute(async (transaction) => {
      await markAccountDeleted(gallery.deps, transaction, commandLineActor, who.id);
      answer = club.step(asked, codeNow());
      await waitForLockWaiter(gallery);
    });
    assertRefused(await answer!, 401, 10003);
  });

  test('do not wait for each other when many admins do their second steps', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `admin${n}`);
    const admins = [];
    for (const name of names) {
      const who = await club.confirmed(name);
      admins.push({ name, who, codeNow: await club.withFactor(who) });
      assertWritten(await root.put(`/api/admin/users/${who.id}`, { is_admin: true }));
    }
    gallery.deps.config.passwordLogin = false;
    const asked: ProviderRequest[] = [];
    for (const { name } of admins)
      asked.push(
        await club.returnFromProvider(`sub-${name}`, { email: `${name}@example.org`, groups: ['keepers'] }),
      );
    gallery.travel(60);
    const codes = admins.map(({ codeNow }) => codeNow(0));
    const answers = await Promise.all(asked.map((one, n) => club.step(one, codes[n]!)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      names.map(() => 200),
    );
  });
});
