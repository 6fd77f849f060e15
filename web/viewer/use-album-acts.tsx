/** What one does with a photo in one's own album, while one looks at it there. Loaded with the viewer open, where it is so. */
import { type ReactNode, useEffect, useState } from 'react';
import type { PhotoItem } from '../api/types.ts';
import { withTexts } from '../messages/messages.ts';
import type { Viewed } from '../photos/leave-list.ts';
import { photoName } from '../photos/name.ts';
import { useWall } from '../photos/wall/wall-context.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { useLoaded } from '../ui/use-loaded.ts';

const load = withTexts(() => import('../arrange/in-viewer.ts'), 'arrange');

export function useAlbumActs(photo: PhotoItem | undefined, viewed: Viewed): [MenuItem[], ReactNode] {
  const { album } = useWall();
  const [acts, begin] = useLoaded(load);
  const [asked, ask] = useState<PhotoItem>();
  useEffect(() => {
    if (album) begin();
  }, [album, begin]);
  if (!album || !acts || !photo) return [[], null];
  const question = asked && (
    <acts.TakeOutQuestion
      name={photoName(asked)}
      onClose={() => ask(undefined)}
      onConfirm={() => {
        ask(undefined);
        void acts.leaveAlbum(album, asked, viewed);
      }}
    />
  );
  return [acts.itemsFor({ album, photo, viewed, ask }), question];
}
