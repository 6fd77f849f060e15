/** Performs a change that removes the selected photos from the album that the page shows. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PhotoItem } from '../../api/types.ts';
import { t } from '../../messages/messages.ts';
import { type PhotoList, refreshPhotoList } from '../../photos/queries.ts';
import type { PhotoSelectionState } from '../../photos/wall/selection-state.ts';
import { performAlbumChange, type UndoableAlbumChange } from './change.ts';

export function useRemoveFromAlbum(list: PhotoList, { setSelected, setLeaving }: PhotoSelectionState) {
  const client = useQueryClient();
  const [busy, setBusy] = useState<string>();
  const leave = async (change: UndoableAlbumChange, photos: PhotoItem[]) => {
    setBusy(t('working'));
    setLeaving(new Set(photos.map((photo) => photo.id)));
    const isDone = await performAlbumChange(change, () => refreshPhotoList(client, list));
    setLeaving(new Set());
    setBusy(undefined);
    if (isDone) setSelected(new Map());
  };
  return { leave, busy };
}
