/** The viewer: a photo on the stage, with controls above and a panel beside. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { createPortal } from 'react-dom';
import type { PhotoItem } from '../api/types.ts';
import { useUser } from '../auth/queries.ts';
import { loadWithTexts, t } from '../messages/messages.ts';
import type { PhotoActionHandlers, PhotoActionTarget } from '../photos/actions.ts';
import { getPhotoName } from '../photos/name.ts';
import { isTrash, photoQuery, useReaction } from '../photos/queries.ts';
import { useWallContext } from '../photos/wall/wall-context.ts';
import { ShareDialog } from '../shares/share.tsx';
import { useTitle } from '../ui/page.tsx';
import { narrowWindow, useMedia } from '../ui/use-media.ts';
import { fillScreen } from './full-screen.ts';
import { useRatePhoto, useRefreshAfterCorrections } from './queries.ts';
import { useAlbumActions } from './use-album-actions.ts';
import { useAutoHideControls } from './use-auto-hide.ts';
import type { ViewerPhotos } from './use-list-photos.ts';
import { useLeaveGonePhoto, useRefetchMissingPicture } from './use-refetch-missing.ts';
import { useViewerStage } from './use-stage.ts';
import { useTrashChange } from './use-trash.ts';
import { useViewerKeys } from './use-viewer-keys.ts';
import { ViewerControls } from './viewer-controls.tsx';
import './viewer.css';
import styles from './viewer.module.css';

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
const Slideshow = lazy(() => import('./slideshow.tsx').then((part) => ({ default: part.Slideshow })));
const PurgeQuestion = lazy(
  loadWithTexts(
    () => import('../selection/purge-dialog.tsx').then((part) => ({ default: part.PurgePhotosDialog })),
    'selection',
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

export function PhotoViewer({ id, first, photos }: Props) {
  const now = useRef<Parameters<typeof useLeaveGonePhoto>[0]>(undefined);
  const { list } = useWallContext();
  const isTrashed = isTrash(list);
  const renew = useRefetchMissingPicture(photos.photoAt, now);
  // The URL of a comment opens the info panel.
  const [hasPanel, setPanel] = useState(() => location.hash.startsWith('#comment-'));
  /** Part of the panel that the user asked for, and the photo it belongs to. */
  const [wanted, setWanted] = useState<{ part: 'comments' | 'report'; of: number }>();
  const { stage, index, total, renumber, percent, isFaulty } = useViewerStage(id, first, photos, {
    onMissing: renew,
    hasPanel,
    setPanel,
  });
  const photo = useCacheValue(() => photos.photoAt(index));
  const user = useUser();
  const react = useReaction();
  const { mutate: mutateRating } = useRatePhoto();
  const [isCulling, setCulling] = useState(false);
  const rate = useCallback(
    (id: number, rating: number, goesOn = false) => {
      mutateRating({ id, rating });
      if (goesOn || isCulling) stage?.next();
    },
    [mutateRating, stage, isCulling],
  );
  const name = photo ? getPhotoName(photo) : '';
  useTitle(name, 'inner');
  useEffect(() => {
    if (name) stage?.setLabel(name);
  }, [stage, name]);
  const client = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const [isSlideshow, setSlideshow] = useState(false);
  const endSlideshow = useCallback(() => setSlideshow(false), []);
  const [shared, setShared] = useState<PhotoItem>();
  const [filed, setFiled] = useState<PhotoItem>();
  const [purged, setPurged] = useState<PhotoItem>();
  const shownId = photo?.id ?? 0;
  const isResting = useHasSettled(shownId);
  const details = useQuery({ ...photoQuery(shownId, list), enabled: shownId > 0 && isResting });
  const { data: detail, error } = details;
  now.current = { stage, index, total, error: isResting ? error : null };
  useLeaveGonePhoto(now.current);
  useAutoHideControls(stage?.element);
  useRefreshAfterCorrections();
  useEffect(() => {
    if (!stage) return;
    // The server does not send the full size of a photo in the trash.
    stage.zoom.sharpestAt = (at) => (at === index && !isTrashed ? detail?.path : undefined);
    stage.zoom.sharpen();
  }, [stage, index, isTrashed, detail?.path]);

  const clearWanted = useCallback(() => setWanted(undefined), []);
  const isOwn = Boolean(user && photo?.user.id === user.id);
  const context = { client, list, renumber, place: index };
  const changeTrash = useTrashChange(() => context, isOwn && isResting);
  const albumItems = useAlbumActions(photo, context);
  const handlers: PhotoActionHandlers = useMemo(
    () => ({
      react: (of, reaction, isSet) => react.mutate({ id: of, reaction, isSet }),
      toggleInfo: () => setPanel((has) => !has),
      showComments: ({ id }) => {
        setPanel(true);
        setWanted({ part: 'comments', of: id });
      },
      report: ({ id }) => {
        setPanel(true);
        setWanted({ part: 'report', of: id });
      },
      startSlideshow: () => {
        setPanel(false);
        setSlideshow(true);
      },
      toggleFullScreen: () => void fillScreen(document.fullscreenElement === null),
      edit: () => setEditing(true),
      share: setShared,
      addToAlbum: setFiled,
      trash: (photo) => changeTrash(photo, 'delete'),
      restore: (photo) => changeTrash(photo, 'restore'),
      purge: setPurged,
      rate,
      toggleCulling: () => setCulling((is) => !is),
    }),
    [react.mutate, changeTrash, rate],
  );
  const target: PhotoActionTarget | undefined = useMemo(
    () => photo && { photo, detail, user, isCulling, isTrash: isTrashed },
    [photo, detail, user, isCulling, isTrashed],
  );
  const lastKnown = useRef(photo);
  lastKnown.current = photo ?? lastKnown.current;
  useViewerKeys(isEditing ? undefined : stage, handlers, () => {
    const { index: at = 0, id: shown } = stage?.shown() ?? {};
    // A list that is being reloaded has no photos for a moment, but the stage still shows its photo.
    const kept = lastKnown.current?.id === shown ? lastKnown.current : undefined;
    const pressed = photos.photoAt(at) ?? kept;
    const known = pressed && client.getQueryData(photoQuery(pressed.id).queryKey);
    return pressed && { photo: pressed, detail: known, user, isCulling, isTrash: isTrashed };
  });
  const isNarrow = useMedia(narrowWindow);
  useEffect(() => {
    const [right, bottom] = isNarrow ? [0, window.innerHeight * 0.55] : [panelWidth, 0];
    stage?.setPadding(hasPanel ? { right, bottom } : { right: 0, bottom: 0 });
  }, [stage, hasPanel, isNarrow]);

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
      {isFaulty && (
        <div className={`always-dark ${styles.broken}`} role="alert">
          <p>{t('photoNotLoaded')}</p>
          <button className="button quiet" type="button" onClick={() => stage.refresh(index)}>
            {t('retry')}
          </button>
        </div>
      )}
      {isSlideshow ? (
        <Suspense>
          <Slideshow {...{ stage, index, total }} onEnd={endSlideshow} />
        </Suspense>
      ) : (
        <ViewerControls {...{ stage, index, target, handlers, hasPanel, percent, total, albumItems }} />
      )}
      {hasPanel && (
        <Suspense>
          <InfoPanel
            photo={detail}
            user={user}
            isTrash={isTrashed}
            error={error}
            retry={() => void details.refetch()}
            rate={rate}
            wanted={wanted?.of === shownId ? wanted.part : undefined}
            onWantedShown={clearWanted}
          />
        </Suspense>
      )}
      {purged && (
        <Suspense>
          <PurgeQuestion
            photos={[purged]}
            onClose={() => setPurged(undefined)}
            onChange={() => changeTrash(purged, 'purge')}
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
          kind="photo"
          name={getPhotoName(shared)}
          path={shared.effective_visibility === 'public' ? `/photos/${shared.id}` : undefined}
          target={user ? { type: 'photo', id: shared.id, level: shared.effective_visibility } : undefined}
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
