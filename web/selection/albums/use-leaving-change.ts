/** Performs a change that removes the selected photos from the album that the page shows. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PhotoItem } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { type PhotoList, refreshList } from '../../photos/queries.ts';
import type { SelectionState } from '../../photos/wall/selection-state.ts';
import { type AlbumChange, runAlbumChange } from './change.ts';

export function useLeavingChange(list: PhotoList, { setSelected, setLeaving }: SelectionState) {
  const client = useQueryClient();
  const [busy, setBusy] = useState<string>();
  const leave = async (change: AlbumChange, photos: PhotoItem[]) => {
    setBusy(t('working'));
    setLeaving(new Set(photos.map((photo) => photo.id)));
    const isDone = await runAlbumChange(change, () => refreshList(client, list));
    setLeaving(new Set());
    setBusy(undefined);
    if (isDone) setSelected(new Map());
  };
  return { leave, busy };
}
