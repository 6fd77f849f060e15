/** Steps about accounts: disable, enable, delete with all data, and register again under the same name. */
import { createPerson, password } from '../../../test/support/people.ts';
import { retract } from '../notices.ts';
import { type Name, names, type Rows } from '../rows.ts';
import { clearCovers, isAdmin, isEnabled } from '../rules.ts';
import { done, idOf, type Kind, refused } from './kind.ts';
import { removeComment } from './people.ts';
import { purgeFrom } from './photos.ts';

const setStatus: Kind = {
  does: 'set status',
  weight: 4,
  choose({ random, rows }, by) {
    if (by !== 'root' && random.chance(0.8)) return undefined;
    const it = random.pick(names);
    // Enabling is more likely than disabling, so that accounts are soon enabled again.
    return { it, isEnabled: isEnabled(rows, it) ? random.chance(0.3) : random.chance(0.9) };
  },
  say: ({ by, it, isEnabled }) => `${by} ${isEnabled ? 'enables' : 'disables'} ${it}`,
  happen(rows, { by, it, isEnabled: wanted }) {
    if (!isAdmin(by)) return refused(403);
    const account = rows.accounts.get(it as Name);
    if (!account) return refused(50001);
    if (account.isAdmin && !wanted) return refused(60002);
    account.isEnabled = wanted as boolean;
    return done({ status: Number(wanted) });
  },
  send: (stage, who, { it, isEnabled }) =>
    who.put(`/api/admin/users/${idOf(stage, it)}`, { status: Number(isEnabled) }),
};

/** Removes everything that a person owned, created, liked and wrote, and other people's reactions to that. */
function erase(rows: Rows, name: Name): void {
  for (const [label, { author }] of rows.comments) if (author === name) removeComment(rows, label);
  for (const [label, { owner }] of rows.photos) if (owner === name) purgeFrom(rows, label);
  for (const [label, { owner }] of rows.albums) if (owner === name) rows.albums.delete(label);
  for (const [label, share] of rows.shares) {
    const isGone = share.kind === 'album' && !rows.albums.has(share.target);
    if (share.owner === name || isGone) rows.shares.delete(label);
  }
  for (const { likes, favorites } of rows.photos.values()) {
    likes.delete(name);
    favorites.delete(name);
  }
  for (const { likes } of rows.comments.values()) likes.delete(name);
  for (const key of rows.follows) if (key.split('>').includes(name)) rows.follows.delete(key);
  retract(rows, ({ to, actor }) => to === name || actor === name);
  clearCovers(rows);
  rows.accounts.delete(name);
}

const deleteUser: Kind = {
  does: 'delete user',
  weight: 2,
  // Prefers acting persons who have the right to delete the account.
  choose: ({ random, rows }, by) => {
    // Mostly a person who has left likes or comments on other people's photos.
    const leaves = names.filter((name) =>
      [...rows.photos.values()].some(({ owner, likes }) => owner !== name && likes.has(name)),
    );
    const it = random.pick(leaves.length > 0 && random.chance(0.7) ? leaves : names);
    const mayDo = by === 'root' || by === it;
    return rows.accounts.has(it) && (mayDo || random.chance(0.2)) ? { it } : undefined;
  },
  say: ({ by, it }) => (by === it ? `${by} leaves` : `${by} deletes the account of ${it}`),
  happen(rows, { by, it }) {
    const name = it as Name;
    if (by !== name && !isAdmin(by)) return refused(403);
    const account = rows.accounts.get(name);
    if (!account) return refused(50001);
    if (account.isAdmin) return refused(60002);
    erase(rows, name);
    return done();
  },
  send: (stage, who, { by, it }) =>
    by === it
      ? who.send('DELETE', '/api/auth/user', {
          body: JSON.stringify({ password }),
          headers: { 'content-type': 'application/json' },
        })
      : who.delete(`/api/admin/users/${idOf(stage, it)}`),
};

/** Another person registers under a deleted account's name. */
const join: Kind = {
  does: 'join',
  weight: 10,
  isOpen: true,
  choose({ random, rows }) {
    const gone = names.filter((name) => !rows.accounts.has(name));
    return gone.length > 0 ? { it: random.pick(gone) } : undefined;
  },
  say: ({ it }) => `somebody joins as ${it}`,
  happen(rows, { it }) {
    const name = it as Name;
    if (rows.accounts.has(name)) return refused(10001);
    rows.accounts.set(name, { name, isAdmin: false, isEnabled: true });
    return done();
  },
  send: (stage, _who, { it }) =>
    stage.people
      .get('nobody')!
      .post('/api/auth/register', { username: it, email: `${it}@example.org`, password }),
  keep(stage, { it }, { body }) {
    const { token, user } = body.data;
    stage.people.set(it as Name, createPerson(stage.place, it, token, user.id));
    stage.ids.set(it, user.id);
  },
};

export const accountSteps = [setStatus, deleteUser, join];
