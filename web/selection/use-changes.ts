/** Changes of a selection: shown at once where that is safe, told with what failed and why, and undone by a button. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Outcome, PhotoItem } from '../api/types.ts';
import { useUser } from '../auth/queries.ts';
import { t } from '../messages/messages.ts';
import type { Change } from '../photos/actions.ts';
import { type Both, type PhotoList, patchPhoto, reacted, refreshList } from '../photos/queries.ts';
import type { Selecting } from '../photos/wall/selection-state.ts';
import { showToast } from '../ui/toast.tsx';
import { textOf } from '../ui/trouble.tsx';
import { changeAll, refreshOthers, taggedBy } from './queries.ts';
import { doneText, failedText } from './words.ts';

type Patch = <Shown extends Both>(photo: Shown) => Shown;

/** Changes that take photos out of the list they are in. */
const removing: Change['action'][] = ['delete', 'restore', 'purge'];

export function useChanges(list: PhotoList, selecting: Selecting) {
  const client = useQueryClient();
  const user = useUser();
  const [busy, setBusy] = useState<string>();
  const { marks, setSelected, setLeaving } = selecting;

  const change = (given: Change) =>
    busy === undefined ? changePhotos(given, [...marks.selected.values()]) : Promise.resolve();

  async function changePhotos(given: Change, photos: PhotoItem[]): Promise<void> {
    setBusy(t('working'));
    try {
      const undone = await undoOf(given, photos, user?.id ?? 0);
      const outcome = await perform(
        given,
        photos.map(({ id }) => id),
        photos,
      );
      const done = outcome.success;
      const changed = new Set(done);
      const rest = photos.filter(({ id }) => !changed.has(id));
      const kept = new Set(rest.map(({ id }) => id));
      if (outcome.error) tell(outcome.error, () => void changePhotos(given, rest));
      else if (kept.size > 0) showToast({ text: failedText(outcome, photos.length), isAlarm: true });
      const isGone = removing.includes(given.action);
      setSelected(
        new Map(
          photos
            .filter(({ id }) => kept.has(id) || !isGone)
            .map((photo) => [photo.id, fresh(photo, given, kept)]),
        ),
      );
      if (done.length === 0) return;
      const undo = undone?.(new Set(done));
      showToast({
        text: doneText(given, done.length),
        ...(undo?.some(({ ids }) => ids.length > 0) && {
          action: { label: t('undoIt'), perform: () => void takeBack(undo) },
        }),
      });
    } finally {
      setBusy(undefined);
    }
  }

  /** Photos as they will be; those that failed get back what they were. */
  async function perform(given: Change, ids: number[], photos: PhotoItem[]): Promise<Reached> {
    const patch = patchOf(given);
    const isGone = removing.includes(given.action);
    if (patch) for (const id of ids) patchPhoto(client, id, patch);
    if (isGone) setLeaving(new Set(ids));
    let reached: Outcome = { success: [], failed: [] };
    const outcome = await changeAll(ids, given, ({ success, failed }) => {
      reached = { success: [...success], failed: [...failed] };
      setBusy(t('workingOf', { done: success.length + failed.length, total: ids.length }));
    }).catch((error: Error): Reached => ({ ...reached, error }));
    const done = new Set(outcome.success);
    if (patch)
      restore(
        client,
        photos.filter(({ id }) => !done.has(id)),
      );
    refreshOthers(client, given);
    // What a search finds, or an album holds, may be others now.
    if (done.size > 0 && given.action !== 'favorite' && given.action !== 'unfavorite') {
      await refreshList(client, list).catch(() => client.invalidateQueries({ queryKey: ['photos', 'list'] }));
    }
    setLeaving(new Set());
    return outcome;
  }

  async function takeBack(undo: Undo): Promise<void> {
    const all: Outcome = { success: [], failed: [] };
    try {
      for (const [at, { ids, change }] of undo.entries()) {
        const { success, failed, error } = await perform(change, ids, []);
        all.success.push(...success);
        all.failed.push(...failed);
        if (!error) continue;
        const left = { ids: ids.filter((id) => !success.includes(id)), change };
        return tell(error, () => void takeBack([left, ...undo.slice(at + 1)]));
      }
    } finally {
      setBusy(undefined);
    }
    if (all.failed.length > 0) {
      showToast({ text: failedText(all, all.failed.length + all.success.length), isAlarm: true });
    } else if (all.success.length > 0) showToast({ text: t('undone') });
  }

  return { change, busy };
}

/** As far as it came; `error`: where it went no further. */
type Reached = Outcome & { error?: Error };

function tell(error: Error, retry: () => void): void {
  showToast({ text: textOf(error), isAlarm: true, action: { label: t('retry'), perform: retry } });
}

type Undo = { ids: number[]; change: Change }[];

const opposites: Partial<Record<Change['action'], Change['action']>> = {
  delete: 'restore',
  restore: 'delete',
  favorite: 'unfavorite',
  unfavorite: 'favorite',
  publish: 'hide',
  hide: 'publish',
};

/** How to take a change back, of those whose state it really changed; read before it is made. */
async function undoOf(
  change: Change,
  photos: PhotoItem[],
  user: number,
): Promise<((done: Set<number>) => Undo) | undefined> {
  const { action, tags = [] } = change;
  if (action === 'tag') {
    // A photo that has the tag already keeps it.
    const tagged = await Promise.all(tags.map((tag) => taggedBy(user, tag))).catch(() => [undefined]);
    if (tagged.includes(undefined)) return undefined;
    return (done) =>
      tags.map((tag, at) => ({
        ids: [...done].filter((id) => !tagged[at]!.has(id)),
        change: { action: 'untag', tags: [tag] },
      }));
  }
  const opposite = opposites[action];
  if (!opposite) return undefined;
  const changed = photos.filter((photo) => isChangedBy(action, photo)).map(({ id }) => id);
  return (done) => [{ ids: changed.filter((id) => done.has(id)), change: { action: opposite } }];
}

function isChangedBy(action: Change['action'], { is_favorited, is_public }: PhotoItem): boolean {
  switch (action) {
    case 'favorite':
      return !is_favorited;
    case 'unfavorite':
      return is_favorited;
    case 'publish':
      return is_public === 0;
    case 'hide':
      return is_public === 1;
    default:
      return true;
  }
}

function patchOf({ action }: Change): Patch | undefined {
  switch (action) {
    case 'favorite':
    case 'unfavorite':
      return reacted({ reaction: 'favorite', isSet: action === 'favorite' });
    case 'publish':
    case 'hide':
      return (photo) => ({ ...photo, is_public: action === 'publish' ? 1 : 0 });
    default:
      return undefined;
  }
}

function fresh(photo: PhotoItem, change: Change, failed: Set<number>): PhotoItem {
  return failed.has(photo.id) ? photo : (patchOf(change)?.(photo) ?? photo);
}

/** As they were before. */
function restore(client: QueryClient, photos: PhotoItem[]): void {
  for (const { id, favorites, is_favorited, is_public } of photos) {
    patchPhoto(client, id, (photo) => ({ ...photo, favorites, is_favorited, is_public }));
  }
}
