/** Changes of accounts and share links. Each returns the answer. */
import { canChange } from './change-photo.ts';
import { eraseAlbum, erasePhoto } from './contents.ts';
import { albumLevel } from './levels.ts';
import {
  type ChangeAccount,
  done,
  type EndShare,
  type ModelAnswer,
  refusals,
  type SetStatus,
  type ShareAlbum,
} from './requests.ts';
import { isAdmin, isEnabled, type Name, names, type State } from './state.ts';

export function setStatus(state: State, { by, account, isEnabled: isWanted }: SetStatus): ModelAnswer {
  if (!isAdmin(state, by)) return refusals.forbidden;
  const found = state.accounts.get(account);
  if (!found) return refusals.userNotFound;
  if (found.isAdmin && !isWanted) return refusals.lastAdmin;
  found.isEnabled = isWanted;
  return done;
}

/** Deletes an account with its photos, albums and links. */
export function deleteAccount(state: State, { by, account }: ChangeAccount): ModelAnswer {
  if (!isAdmin(state, by)) return refusals.forbidden;
  const found = state.accounts.get(account);
  if (!found) return refusals.userNotFound;
  if (found.isAdmin) return refusals.lastAdmin;
  const isOfAccount = ({ owner }: { owner: Name }) => owner === account;
  for (const { label } of [...state.albums.values()].filter(isOfAccount)) eraseAlbum(state, label);
  for (const { label } of [...state.photos.values()].filter(isOfAccount)) erasePhoto(state, label);
  for (const { label, by: creator } of [...state.shares.values()]) {
    if (creator === account) state.shares.delete(label);
  }
  for (const one of state.accounts.values()) one.follows = one.follows.filter((name) => name !== account);
  state.accounts.delete(account);
  return done;
}

/** Registers a deleted name again. The new account and all enabled accounts follow each other. */
export function registerAgain(state: State, { account }: ChangeAccount): ModelAnswer {
  if (state.accounts.has(account)) return refusals.usernameTaken;
  const others = names.filter((name) => isEnabled(state, name));
  for (const name of others) state.accounts.get(name)!.follows.push(account);
  state.accounts.set(account, { isAdmin: false, isEnabled: true, follows: others });
  return done;
}

/** Creates a link. Only the owner can create a link for an album that is not public. */
export function shareAlbum(state: State, { by, share, album: label }: ShareAlbum): ModelAnswer {
  const album = state.albums.get(label);
  if (!album) return refusals.albumNotFound;
  const canShare = by === album.owner || albumLevel(state, album) === 'public';
  if (!canChange(state, by, album) || !canShare) return refusals.albumForbidden;
  state.shares.set(share, { label: share, by: by as Name, album: label });
  return done;
}

export function endShare(state: State, { by, share }: EndShare): ModelAnswer {
  const found = state.shares.get(share);
  if (!found || (found.by !== by && !isAdmin(state, by))) return refusals.shareNotFound;
  state.shares.delete(share);
  return done;
}
