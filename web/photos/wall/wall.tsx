/**
 * A wall: a list of photos in justified rows under month headings. The layout is known before any photo is
 * loaded. Only sections near the window are rendered, and missing photos load when scrolling rests.
 */
import { useRouter, useRouterState } from '@tanstack/react-router';
import {
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { PhotoSection } from '../../../server/gallery/pages/sections.ts';
import { getTileRatio } from '../../../server/gallery/photos/tile-ratio.ts';
import type { AlbumDetail, PhotoItem } from '../../api/types.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { useHasFirstPicture } from '../first-picture.ts';
import type { PhotoList } from '../queries.ts';
import { useDensity } from './density.ts';
import { DensityButton } from './density-button.tsx';
import { computeLayout, findSectionIndexAt } from './layout.ts';
import { computeScrollBoxHeight } from './scale.ts';
import { WallSection } from './section.tsx';
import type { PhotoPicker } from './selection-state.ts';
import { useWallPhotos } from './use-photos.ts';
import { usePinch } from './use-pinch.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';
import { useWallScroller } from './use-scroller.ts';
import { usePhotoSections } from './use-sections.ts';
import { usePhotoSelection } from './use-selection.ts';
import { useTabStop } from './use-tab-stop.ts';
import { useScrollHandlers, useScrollSpeed, useWallSize } from './use-window.ts';
import styles from './wall.module.css';
import { WallContext } from './wall-context.ts';
import { YearRail } from './year-rail.tsx';

interface Props {
  list: PhotoList;
  title: string;
  /**
   * `href` is the wall's URL; `getHref` returns the URL of a photo above the wall. Neither may change
   * between renders.
   */
  href: string;
  getHref(id: number): string;
  /** Album of the photos, if the viewer can sort them. */
  album?: AlbumDetail;
  /** Content above the photos, with the heading. Without a head the title is for screen readers only. */
  head?: ReactNode;
  /** Content that is shown instead of the wall if the list has no photos. */
  empty: ReactNode;
  /** Returns a short text for a photo's tile. */
  getNote?(photo: PhotoItem): string;
  /** Purpose of the selection, instead of the actions on selected photos. Such a wall has no viewer. */
  picker?: PhotoPicker;
  /** Content above the wall: the viewer. */
  children?: ReactNode;
}

const noSections: PhotoSection[] = [];

export function Wall(props: Props) {
  const { list, title, href, getHref, album, head, empty, getNote, picker, children } = props;
  const router = useRouter();
  const sheet = useRef<HTMLDivElement>(null);
  const size = useWallSize(sheet, useDensity());
  usePinch(sheet);
  const { sections, error, retry } = usePhotoSections(list);
  const [near, setNear] = useState({ first: 0, last: 0 });
  const [isResting, setResting] = useState(true);
  const nearSections = useMemo(
    () => sections?.slice(near.first, near.last + 1) ?? noSections,
    [sections, near],
  );
  const photos = useWallPhotos(list, nearSections, isResting);
  const { getPhotos } = photos;
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights are valid for one width and one list
  const heights = useMemo(() => new Map<number, number>(), [size, sections]);
  const layout = useMemo(() => {
    if (!size || !sections) return undefined;
    const getRatios = (section: PhotoSection) => getPhotos(section)?.map(getTileRatio);
    return computeLayout(sections, size, { getRatios, heights });
  }, [sections, size, getPhotos, heights]);
  const entry = useRouterState({ select: ({ location }) => location.state.__TSR_key ?? 'first' });
  const boxed = computeScrollBoxHeight(layout?.height ?? 0, window.devicePixelRatio);
  const { scroller, base } = useWallScroller(sheet, layout?.height ?? 0, boxed);
  const { remember, reveal } = useScrollAnchor({ sheet, layout, getPhotos, entry, scroller });

  const lookAround = useCallback(() => {
    if (!layout || !sheet.current) return;
    const y = scroller.now();
    const first = findSectionIndexAt(layout, y - window.innerHeight);
    const last = findSectionIndexAt(layout, y + 2 * window.innerHeight);
    setNear((now) => (now.first === first && now.last === last ? now : { first, last }));
  }, [layout, scroller]);
  const { isFast, measureSpeed, endFling } = useScrollSpeed();
  const hasFirstPicture = useHasFirstPicture();
  const onScroll = useCallback(() => {
    setResting(false);
    measureSpeed(scroller.now());
    lookAround();
  }, [lookAround, measureSpeed, scroller]);
  const onRest = useCallback(() => {
    scroller.rest();
    setResting(true);
    endFling();
    remember();
  }, [remember, scroller, endFling]);
  useLayoutEffect(lookAround, [lookAround]);
  useScrollHandlers(scroller.now, onScroll, onRest);
  // Photos that arrived while scrolling rests make the position known, so it is stored now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run for each new layout
  useEffect(() => {
    if (isResting) remember();
  }, [layout, isResting, remember]);

  const findListedPhoto = useCallback(
    (id: number) => {
      for (const section of nearSections) {
        const at = getPhotos(section)?.findIndex((photo) => photo.id === id) ?? -1;
        if (at >= 0) return { index: section.from + at, photo: getPhotos(section)![at]! };
      }
      return undefined;
    },
    [nearSections, getPhotos],
  );
  const placed = layout?.placedSections.slice(near.first, near.last + 1) ?? [];
  const { stop, handleFocus } = useTabStop({ placed, top: scroller.now(), getPhotos, findListedPhoto });
  const { selecting, Tools, begin, press, queueMissedKey } = usePhotoSelection(list, findListedPhoto, picker);

  const handleClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const month = target.closest<HTMLElement>('[data-from]');
    if (month) return selecting.pickSection(Number(month.dataset.from), Number(month.dataset.total));
    const tile = target.closest<HTMLElement>('[data-id]');
    if (press.wasLong()) return event.preventDefault();
    if (!tile || event.button !== 0 || event.metaKey || event.ctrlKey || event.altKey) return;
    const { isOffered, selected } = selecting.marks;
    if (isOffered && (picker || selected.size > 0 || target.closest('[data-check]'))) {
      event.preventDefault();
      const spot = findListedPhoto(Number(tile.dataset.id));
      return spot && selecting.pick(spot, event.shiftKey);
    }
    if (event.shiftKey) return;
    event.preventDefault();
    remember();
    const author = target.closest<HTMLElement>('[data-author]')?.dataset.author;
    if (author) return router.history.push(`/users/${author}`);
    router.history.push(getHref(Number(tile.dataset.id)), { isOverWall: true });
  };
  const context = useMemo(
    () => ({ list, href, getHref, album, reveal }),
    [list, href, getHref, album, reveal],
  );
  const isEmpty = sections?.length === 0;
  const hasMonths = Boolean(sections?.[0]?.newest);
  return (
    <WallContext value={context}>
      <main className="wall" id="content" data-empty={isEmpty || undefined}>
        {head ?? <h1 className="unseen">{title}</h1>}
        {error && <ErrorNotice error={error} retry={retry} />}
        {!error && photos.error && (
          // The error notice stays visible at any scroll position.
          <div className={styles.fault}>
            <ErrorNotice error={photos.error} retry={photos.retry} />
          </div>
        )}
        {isEmpty && empty}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: tiles are links, and the keyboard opens a link by a click event */}
        <div
          className={styles.sheet}
          data-sheet=""
          ref={sheet}
          style={{ height: boxed }}
          data-selecting={selecting.marks.selected.size > 0 || undefined}
          onClick={handleClick}
          onPointerOver={({ target }) => (target as Element).closest('[data-check]') && begin()}
          onFocus={(event) => {
            handleFocus(event);
            if (event.target.matches(':focus-visible')) begin();
          }}
          onKeyDown={queueMissedKey}
          {...press.handlers}
        >
          {layout && hasMonths && <DensityButton />}
          {placed.map((place) => (
            <WallSection
              key={place.section.from}
              place={place}
              top={place.top - base}
              photos={getPhotos(place.section)}
              getHref={picker ? undefined : getHref}
              getNote={getNote}
              marks={selecting.marks}
              stop={getPhotos(place.section)?.find(({ id }) => id === stop)?.id}
              isFast={isFast || hasFirstPicture}
            />
          ))}
        </div>
        {layout && <YearRail layout={layout} scroller={scroller} />}
      </main>
      {Tools && layout && <Tools {...{ list, layout, sheet, reveal, findListedPhoto, selecting, picker }} />}
      {children}
    </WallContext>
  );
}
