/** The things that rows of the rights table request. Only the parts that a row uses are created. */
import { randomBytes } from 'node:crypto';
import { insertUser } from '../../../server/gallery/accounts/store.ts';
import { startSession } from '../../../server/gallery/identity/sessions.ts';
import { tokenHash } from '../../../server/gallery/identity/tokens.ts';
import { getUser } from '../../../server/gallery/identity/users.ts';
import type { LevelName } from '../../../server/platform/db/states.ts';
import { assertDone } from '../../support/assert-answers.ts';
import type { Gallery } from '../../support/harness.ts';
import { addPhoto, type Person } from '../../support/people.ts';
import type { Row, Target } from './rights.ts';

export interface Targets {
  /**
   * Creates a new target. Parts that must exist, but that the row does not request, may be shared with other
   * rows.
   */
  make(parts: (keyof Target)[], level: LevelName): Promise<Target>;
  /** Deletes keys, sessions and webhooks of earlier rows: a person may have at most 50, 100 and 10. */
  deleteTargets(): Promise<void>;
}

const none: Target = {
  photo: 0,
  share: { id: 0, token: '' },
  trashed: 0,
  album: 0,
  comment: 0,
  owner: 0,
  session: 0,
  key: 0,
  passkey: 0,
  webhook: 0,
  delivery: 0,
  report: 0,
  victim: 0,
};
/** Parts that have the level of a photo or an album. */
export const aboutPhotos: (keyof Target)[] = ['photo', 'share', 'album', 'comment', 'report'];

/** Calls the row as an anonymous visitor, and returns the parts of a target that the row uses. */
export function splitPath({ ask }: Row): (keyof Target)[] {
  const parts = new Set<keyof Target>();
  const target = new Proxy(none, {
    get(parent, part: keyof Target) {
      parts.add(part);
      return parent[part];
    },
  });
  const anonymous = new Proxy({} as Person, { get: () => () => undefined });
  void ask(anonymous, target);
  return [...parts];
}

export function createTargets(gallery: Gallery, owner: Person, picture: Buffer): Targets {
  const { deps } = gallery;
  const { kysely } = deps.db;
  const standing = new Map<string, number>();
  let victims = 0;

  const created = async (path: string, body: object) => (await owner.post(path, body)).body.data;

  async function make(parts: (keyof Target)[], level: LevelName): Promise<Target> {
    const has = (part: keyof Target) => parts.includes(part);
    const target = { ...none, owner: owner.id };
    if (parts.some((part) => aboutPhotos.includes(part))) {
      target.photo = has('photo') ? await newPhoto(level) : await standingPhoto(level);
    }
    if (has('trashed')) target.trashed = await trashedPhoto();
    if (has('share')) target.share = await newShare(target.photo);
    if (has('album')) target.album = await newAlbum(target.photo, level);
    if (has('session')) target.session = await newSession();
    if (has('key')) target.key = (await created('/api/auth/tokens', { name: 'another' })).id;
    if (has('passkey')) target.passkey = await newPasskey();
    if (has('comment')) target.comment = await newComment(target.photo);
    if (has('report')) target.report = await newReport(target.photo);
    if (has('victim')) target.victim = await newVictim();
    if (has('webhook')) Object.assign(target, await newWebhook());
    return target;
  }

  async function newPasskey(): Promise<number> {
    const { id } = await kysely
      .insertInto('passkeys')
      .values({
        user_id: owner.id,
        name: 'Phone',
        credential_id: randomBytes(32).toString('base64url'),
        public_key: '',
        counter: 0,
        rp_id: 'localhost',
        is_synced: 0,
        create_time: deps.clock(),
        last_used_time: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async function newPhoto(level: LevelName): Promise<number> {
    return (await addPhoto(owner, { title: 'target', visibility: level }, picture)).id;
  }

  /**
   * Returns a shared photo for rows that use something of a photo and do not change the photo itself. The photo gets its
   * level back, because it keeps the level that counted in an album that a row made narrower.
   */
  async function standingPhoto(level: LevelName): Promise<number> {
    const photo = standing.get(level) ?? (await newPhoto(level));
    standing.set(level, photo);
    assertDone(await owner.put(`/api/photos/${photo}`, { album_id: 0, visibility: level }));
    return photo;
  }

  async function trashedPhoto(): Promise<number> {
    const { id } = await addPhoto(owner, { title: 'trashed' }, picture);
    await owner.delete(`/api/photos/${id}`);
    return id;
  }

  async function newShare(photo: number): Promise<Target['share']> {
    const { id, url } = await created(`/api/photos/${photo}/share`, { type: 'link' });
    return { id, token: url.split('/').at(-1) };
  }

  async function newAlbum(photo: number, level: LevelName): Promise<number> {
    const { id } = await created('/api/albums', { name: 'Target', visibility: level });
    await owner.post(`/api/albums/${id}/photos`, { ids: [photo] });
    return id;
  }

  async function newComment(photo: number): Promise<number> {
    return (await created(`/api/photos/${photo}/comments`, { content: 'Mine' })).id;
  }

  /**
   * Creates a report. Older reports are deleted first, because a person can have only one open report per
   * target.
   */
  async function newReport(photo: number): Promise<number> {
    await kysely.deleteFrom('reports').execute();
    const report = { target_type: 'photo', target_id: photo, reason: 'spam' };
    return (await created('/api/reports', report)).id;
  }

  async function newVictim(): Promise<number> {
    const username = `victim${victims++}`;
    const victim = { username, email: `${username}@example.org`, passwordHash: '' };
    return (await insertUser(deps, victim)).id;
  }

  async function newWebhook(): Promise<Pick<Target, 'webhook' | 'delivery'>> {
    const { id } = await created('/api/webhooks', { url: 'https://example.org/', events: ['like.created'] });
    return { webhook: id, delivery: (await created(`/api/webhooks/${id}/test`, {})).id };
  }

  async function newSession(): Promise<number> {
    const place = { userAgent: 'elsewhere', ip: '' };
    const token = await startSession(deps, await getUser(deps, owner.id), place);
    const found = kysely.selectFrom('sessions').select('id');
    return (await found.where('token_hash', '=', tokenHash(token)).executeTakeFirstOrThrow()).id;
  }

  async function deleteTargets(): Promise<void> {
    await kysely.deleteFrom('webhooks').execute();
    await kysely.deleteFrom('api_keys').where('name', '!=', 'reader').execute();
    await kysely.deleteFrom('sessions').where('user_agent', 'in', ['', 'elsewhere']).execute();
  }

  return { make, deleteTargets };
}
