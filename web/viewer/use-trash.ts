/** Sends photos of the viewer to the trash. Its script is there before it is needed, where it will be. */
import { useCallback, useEffect, useRef } from 'react';
import type { PhotoItem } from '../api/types.ts';
import { withTexts } from '../messages/messages.ts';
import type { ViewerContext } from '../photos/remove-from-list.ts';

type TrashModule = typeof import('./trash-photo.ts');
const load = withTexts(() => import('./trash-photo.ts'), 'selection');

/** `isLikely`: one looks at a photo that one may delete. */
export function useTrash(read: () => ViewerContext, isLikely: boolean): (photo: PhotoItem) => void {
  const script = useRef<TrashModule>(undefined);
  const readNow = useRef(read);
  readNow.current = read;
  const getReady = useCallback(async () => {
    script.current = await load();
    return script.current;
  }, []);
  useEffect(() => {
    if (isLikely) getReady().catch(() => {});
  }, [isLikely, getReady]);
  return useCallback(
    (photo) => {
      const trash = ({ trashPhoto }: TrashModule) => trashPhoto(readNow.current(), photo);
      // At once, where it can be: the next press is for the next photo.
      if (script.current) void trash(script.current);
      // Without its script, as after an update of the gallery, nothing is done.
      else getReady().then(trash, () => {});
    },
    [getReady],
  );
}
