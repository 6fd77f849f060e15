/**
 * Moves photos of the viewer to the trash or out of it. The script is preloaded when it will probably be
 * needed.
 */
import { useCallback, useEffect, useRef } from 'react';
import type { PhotoItem } from '../api/types.ts';
import { loadWithTexts } from '../messages/messages.ts';
import type { ViewerContext } from '../photos/remove-from-list.ts';
import type { TrashAction } from './trash-photo.ts';

type TrashModule = typeof import('./trash-photo.ts');
const loadTrashPhoto = loadWithTexts(() => import('./trash-photo.ts'), 'selection');

/** `isLikely` is true while the viewer shows a photo that the user can delete. */
export function useTrashChange(read: () => ViewerContext, isLikely: boolean) {
  const script = useRef<TrashModule>(undefined);
  const readNow = useRef(read);
  readNow.current = read;
  const getReady = useCallback(async () => {
    script.current = await loadTrashPhoto();
    return script.current;
  }, []);
  useEffect(() => {
    if (isLikely) getReady().catch(() => {});
  }, [isLikely, getReady]);
  return useCallback(
    (photo: PhotoItem, action: TrashAction) => {
      const change = ({ changePhotoInTrash }: TrashModule) =>
        changePhotoInTrash(readNow.current(), photo, action);
      // Run synchronously if possible, because the next key press is meant for the next photo.
      if (script.current) void change(script.current);
      // If the script cannot be loaded, for example after an update of the gallery, nothing happens.
      else getReady().then(change, () => {});
    },
    [getReady],
  );
}
