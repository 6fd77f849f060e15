/** Runs the rights table: every role calls every endpoint for a photo of each level. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startSession } from '../../../server/gallery/identity/sessions.ts';
import { newToken, tokenHash } from '../../../server/gallery/identity/tokens.ts';
import { getUser } from '../../../server/gallery/identity/users.ts';
import type { LevelName } from '../../../server/platform/db/states.ts';
import { assertRefused } from '../../support/assert-answers.ts';
import { type Gallery, startGallery } from '../../support/harness.ts';
import {
  asVisitor,
  createPerson,
  disableAccount,
  type Person,
  register,
  registerAdmin,
} from '../../support/people.ts';
import { createJpeg } from '../../support/pictures.ts';
import { type Codes, expectedCode, type Role, type Row, roles, type Target } from './rights.ts';
import { aboutPhotos, createTargets, splitPath, type Targets } from './rights-targets.ts';

const statusOf: Record<number, number> = {
  0: 200,
  10005: 400,
  10006: 401,
  20001: 415,
  20003: 404,
  20004: 403,
  20007: 404,
  30002: 403,
  40002: 403,
  50002: 400,
  70001: 404,
  80001: 404,
};

/**
 * Calls each row's endpoint as every role, for a target of each level if the target has one, and checks that refused calls changed nothing.
 */
export function testRights(rows: Row[]): void {
  describe('rights', () => {
    let gallery: Gallery;
    let people: Record<Role, Person>;
    let targets: Targets;

    before(async () => {
      gallery = await startGallery();
      const owner = await register(gallery, 'owner');
      const disabled = await register(gallery, 'disabled');
      await disableAccount(gallery, disabled);
      const leftOver = await leftOverSession(disabled, 'left over');
      people = {
        stranger: asVisitor(gallery),
        member: await register(gallery, 'member'),
        owner,
        disabled: createPerson(gallery, 'disabled', leftOver, disabled.id),
        admin: await registerAdmin(gallery, 'admin'),
        reader: owner,
      };
      const { body } = await owner.post('/api/auth/tokens', { name: 'reader', scopes: ['read'] });
      people.reader = createPerson(gallery, 'reader', body.data.token, owner.id);
      targets = createTargets(gallery, owner, await createJpeg({ width: 32, height: 24 }));
    });
    after(() => gallery.close());

    for (const row of rows) {
      const { endpoint, detail, codes, privateCodes = codes, ask } = row;
      const membersCodes = row.membersCodes ?? (codes.with(0, privateCodes[0]) as Codes);
      const parts = splitPath(row);
      const endsSessions = /\/api\/(?:auth|admin\/users)\//.test(endpoint);
      // The level makes no difference to a target without a photo, so one level is enough.
      const hasLevel = parts.some((part) => aboutPhotos.includes(part));
      const levels: [LevelName, Codes][] = [
        ['public', codes],
        ['members', membersCodes],
        ['private', privateCodes],
      ];
      for (const [level, expected] of hasLevel ? levels : levels.slice(0, 1)) {
        test([endpoint, detail, hasLevel && level].filter(Boolean).join(', '), async () => {
          await targets.deleteTargets();
          let target: Target | undefined;
          for (const role of roles) {
            target ??= await targets.make(parts, level);
            const code = expectedCode(role, endpoint, expected);
            const before = code === 0 ? undefined : await everything(target);
            const answer = await ask(endsSessions ? await signedInAnew(people[role]) : people[role], target);
            const context = `${role}: ${answer.bytes.subarray(0, 200)}`;
            assert.deepEqual([answer.status, answer.body.code ?? 0], [statusOf[code] ?? code, code], context);
            if (code === 0) {
              // A GET request leaves the target unchanged, so the next role can use the same target.
              if (!endpoint.startsWith('GET ')) target = undefined;
              continue;
            }
            assertRefused(
              answer,
              statusOf[code] ?? code,
              code,
              code === 400 ? Object.keys(answer.body.errors) : undefined,
            );
            assert.deepEqual(await everything(target), before, `${role} changed something`);
          }
        });
      }
    }

    /** Returns the person in a new session, because some requests end their own session. */
    async function signedInAnew(who: Person): Promise<Person> {
      if (who.id === 0 || who.name === 'reader') return who;
      if (who === people.disabled)
        return createPerson(gallery, who.name, await leftOverSession(who, ''), who.id);
      const token = await startSession(gallery.deps, await getUser(gallery.deps, who.id), {
        userAgent: '',
        ip: '',
      });
      return createPerson(gallery, who.name, token, who.id);
    }

    /**
     * Creates a session that disabling the account should have ended. The API cannot create one for a
     * disabled account.
     */
    async function leftOverSession({ id }: Person, user_agent: string): Promise<string> {
      const { db, clock } = gallery.deps;
      const [token, now] = [newToken(), clock()];
      const times = { create_time: now, last_used_time: now, expire_time: now + 3600 };
      await db.kysely
        .insertInto('sessions')
        .values({ user_id: id, token_hash: tokenHash(token), user_agent, ip: '', ...times })
        .execute();
      return token;
    }

    /** Reads all rows that a refused request must not change. */
    async function everything({ photo: target, trashed }: Target) {
      const { kysely } = gallery.deps.db;
      const photo = target || trashed;
      // Writes the views of earlier requests first, so that they do not look like a change by the refused
      // request.
      await gallery.deps.db.counters.flush();
      const findRows = (table: 'likes' | 'favorites' | 'shares' | 'edits' | 'images' | 'comments') =>
        kysely.selectFrom(table).selectAll().where('photo_id', '=', photo).execute();
      const photos = await kysely.selectFrom('photos').selectAll().where('id', '=', photo).execute();
      const users = await kysely
        .selectFrom('users')
        .selectAll()
        // Leaves out accounts that are being deleted, because a background job deletes their rows at any
        // time.
        .where('status', '>=', 0)
        .orderBy('id')
        .execute();
      const albums = await kysely.selectFrom('albums').selectAll().orderBy('id').execute();
      const webhooks = await kysely.selectFrom('webhooks').selectAll().orderBy('id').execute();
      const tables = ['likes', 'favorites', 'shares', 'edits', 'images', 'comments'] as const;
      return {
        photos,
        users,
        albums,
        webhooks,
        ...Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await findRows(table)]))),
      };
    }

    test('answers 20003 for a missing photo to every signed-in user', async () => {
      const none = 987_654_321;
      const ids = {
        album: none,
        comment: none,
        owner: none,
        session: none,
        key: none,
        passkey: none,
        webhook: none,
        delivery: none,
        report: none,
        victim: none,
      };
      const nothing = { photo: none, trashed: none, share: { id: 1, token: '' }, ...ids };
      for (const role of ['member', 'owner', 'admin'] as const) {
        for (const { ask } of rows.filter((row) => row.endpoint.includes(' /api/photos/{id}'))) {
          const answer = await ask(people[role], nothing);
          assertRefused(answer, 404, 20003);
        }
      }
    });

    test('the server logged no error during these tests', () => assert.deepEqual(gallery.complaints(), []));
  });
}
