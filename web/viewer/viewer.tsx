/** The viewer: a photo on the stage, with controls above and a panel beside. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createPortal } from 'react-dom';
import type { PhotoItem } from '../api/types.ts';
import { useUser } from '../auth/queries.ts';
import { loadWithTexts } from '../messages/messages.ts';
import { type PhotoActionHandlers, type PhotoActionTarget, photoActions } from '../photos/actions.ts';
import { getPhotoName } from '../photos/name.ts';
import { photoQuery, useReaction } from '../photos/queries.ts';
import { useWallContext } from '../photos/wall/wall-context.ts';
import { ShareDialog } from '../shares/share.tsx';
import { readKey, readRatingKey } from '../ui/keys.ts';
import { useTitle } from '../ui/page.tsx';
import { useRatePhoto, useRefreshAfterCorrections } from './queries.ts';
import type { ViewerStage } from './stage.ts';
import { useAlbumActions } from './use-album-actions.ts';
import { useAutoHideControls } from './use-auto-hide.ts';
import type { ViewerPhotos } from './use-list-photos.ts';
import { useLeaveGonePhoto, useRefetchMissingPicture } from './use-refetch-missing.ts';
import { useViewerStage } from './use-stage.ts';
import { useTrashPhoto } from './use-trash.ts';
import { ViewerControls } from './viewer-controls.tsx';
import './viewer.css';

interface Props {
  id: number;
  first: number;
  photos: ViewerPhotos;
}

const loadPanel = loadWithTexts(
  () => import('./info-panel.tsx').then(({ PhotoInfoPanel }) => ({ default: PhotoInfoPanel })),
  'comments',
  'reports',
  'visibility',
);
const InfoPanel = lazy(loadPanel);
const AlbumDialog = lazy(
  loadWithTexts(
    () => import('./photo-albums.tsx').then(({ PhotoAlbumsDialog }) => ({ default: PhotoAlbumsDialog })),
    'selection',
    'visibility',
  ),
);
const loadEditor = loadWithTexts(
  () => import('../editor/editor.tsx').then(({ Editor }) => ({ default: Editor })),
  'editor',
);
const Editor = lazy(loadEditor);

/**
 * Milliseconds after which a photo counts as viewed and its details are loaded, instead of being passed by.
 */
const settleDelayMs = 600;
const panelWidth = 352;
const narrowScreen = '(max-width: 700px)';

export function PhotoViewer({ id, first, photos }: Props) {
  const now = useRef<Parameters<typeof useLeaveGonePhoto>[0]>(undefined);
  const renew = useRefetchMissingPicture(photos.photoAt, now);
  const { stage, index, total, renumber, percent } = useViewerStage(id, first, photos, renew);
  const photo = useCacheValue(() => photos.photoAt(index));
  const user = useUser();
  const react = useReaction();
  const { mutate: mutateRating } = useRatePhoto();
  const rate = useCallback((id: number, rating: number) => mutateRating({ id, rating }), [mutateRating]);
  useTitle(photo ? getPhotoName(photo) : '', 'inner');
  const client = useQueryClient();
  const { list } = useWallContext();
  // The URL of a comment opens the info panel.
  const [hasPanel, setPanel] = useState(() => location.hash.startsWith('#comment-'));
  const [isEditing, setEditing] = useState(false);
  const [shared, setShared] = useState<PhotoItem>();
  const [filed, setFiled] = useState<PhotoItem>();
  const shownId = photo?.id ?? 0;
  const isResting = useHasSettled(shownId);
  const details = useQuery({ ...photoQuery(shownId), enabled: shownId > 0 && isResting });
  const { data: detail, error } = details;
  now.current = { stage, index, total, error: isResting ? error : null };
  useLeaveGonePhoto(now.current);
  useAutoHideControls(stage?.element);
  useRefreshAfterCorrections();
  useEffect(() => {
    if (!stage) return;
    stage.zoom.sharpestAt = (at) => (at === index ? detail?.path : undefined);
    stage.zoom.sharpen();
  }, [stage, index, detail?.path]);

  const isOwn = Boolean(user && photo?.user.id === user.id);
  const context = { client, list, renumber, place: index };
  const trash = useTrashPhoto(() => context, isOwn && isResting);
  const albumItems = useAlbumActions(photo, context);
  const handlers: PhotoActionHandlers = useMemo(
    () => ({
      react: (of, reaction, isSet) => react.mutate({ id: of, reaction, isSet }),
      toggleInfo: () => setPanel((has) => !has),
      edit: () => setEditing(true),
      share: setShared,
      addToAlbum: setFiled,
      trash,
      rate,
    }),
    [react.mutate, trash, rate],
  );
  const target: PhotoActionTarget | undefined = useMemo(
    () => photo && { photo, detail, user },
    [photo, detail, user],
  );
  const lastKnown = useRef(photo);
  lastKnown.current = photo ?? lastKnown.current;
  useViewerKeys(isEditing ? undefined : stage, handlers, () => {
    const { index: at = 0, id: shown } = stage?.shown() ?? {};
    // A list that is being reloaded has no photos for a moment, but the stage still shows its photo.
    const kept = lastKnown.current?.id === shown ? lastKnown.current : undefined;
    const pressed = photos.photoAt(at) ?? kept;
    return pressed && { photo: pressed, detail: client.getQueryData(photoQuery(pressed.id).queryKey), user };
  });
  useEffect(() => {
    const isNarrow = matchMedia(narrowScreen).matches;
    const [right, bottom] = isNarrow ? [0, window.innerHeight * 0.55] : [panelWidth, 0];
    stage?.setPadding(hasPanel ? { right, bottom } : { right: 0, bottom: 0 });
  }, [stage, hasPanel]);

  if (!stage) return null;
  if (isEditing && photo) {
    const onSaved = () => {
      setEditing(false);
      stage.refresh(index);
    };
    return createPortal(
      <Suspense>
        <Editor photo={photo} close={() => setEditing(false)} onSaved={onSaved} />
      </Suspense>,
      stage.element,
    );
  }
  return createPortal(
    <>
      <ViewerControls {...{ stage, index, target, handlers, hasPanel, percent, total, albumItems }} />
      {hasPanel && (
        <Suspense>
          <InfoPanel
            photo={detail}
            user={user}
            error={error}
            retry={() => void details.refetch()}
            rate={rate}
          />
        </Suspense>
      )}
      {filed && user && (
        <Suspense>
          <AlbumDialog photo={filed} user={user} viewer={context} onClose={() => setFiled(undefined)} />
        </Suspense>
      )}
      {shared && (
        <ShareDialog
          of={{ type: 'photo', id: shared.id, level: shared.effective_visibility }}
          onClose={() => setShared(undefined)}
        />
      )}
    </>,
    stage.element,
  );
}

/** Returns a value of the query cache, and renders again when the cache changes. */
function useCacheValue<Value>(read: () => Value): Value {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore((listener) => cache.subscribe(listener), read);
}

/** Returns whether the same photo has been shown for a while. */
function useHasSettled(id: number): boolean {
  const [rested, setRested] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setRested(id), settleDelayMs);
    return () => clearTimeout(timer);
  }, [id]);
  return rested === id;
}

const stageActions: Record<string, (stage: ViewerStage) => void> = {
  ArrowRight: (stage) => stage.next(),
  ArrowLeft: (stage) => stage.previous(),
  Escape: (stage) => stage.close(),
  '+': ({ zoom }) => zoom.nearer(),
  '=': ({ zoom }) => zoom.nearer(),
  '-': ({ zoom }) => zoom.farther(),
  z: ({ zoom }) => zoom.toggle(),
};

/**
 * Handles the viewer's shortcuts. `read` returns what the stage shows at a key press, even before React
 * renders it.
 */
function useViewerKeys(
  stage: ViewerStage | undefined,
  handlers: PhotoActionHandlers,
  read: () => PhotoActionTarget | undefined,
): void {
  const readNow = useRef(read);
  readNow.current = read;
  // A layout effect adds the listener together with the picture, so that the first key counts.
  useLayoutEffect(() => {
    if (!stage) return;
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event)) return;
      const pressed = readKey(event);
      const step = stageActions[event.key] ?? stageActions[pressed];
      const target = readNow.current();
      const action = photoActions.find(({ key }) => key === pressed);
      const rating = readRatingKey(event);
      if (step) step(stage);
      else if (rating !== undefined && target && target.user?.id === target.photo.user.id) {
        handlers.rate(target.photo.id, rating);
        // Shift sorts out a series: each key rates a photo and shows the next.
        if (event.shiftKey) stage.next();
      } else if (target && action?.isFor(target)) action.perform(target, handlers);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', handleKeyDown);
    return () => window.removeEventListener('keydown', handleKeyDown);
  }, [stage, handlers]);
}

/** Returns whether a field has the focus, where keys are text. Esc removes the focus. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || !target.matches('input, textarea, select')) return false;
  if (key === 'Escape') target.blur();
  return true;
}
