/**
 * Opens the stage once, keeps the URL in step with the shown photo, and returns to the previous page on
 * close.
 */
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { buildStageSrcset } from '../../server/gallery/pages/stage-picture.ts';
import { ApiError } from '../api/client.ts';
import { getPhotoName } from '../photos/name.ts';
import { canLocatePhotos } from '../photos/queries.ts';
import { useWallContext } from '../photos/wall/wall-context.ts';
import { isTemporaryError } from '../query-client.ts';
import { openViewerStage, type ViewerStage } from './stage.ts';
import { toggleControls } from './use-auto-hide.ts';
import type { ViewerPhotos } from './use-list-photos.ts';

/** Milliseconds until photos that failed to load are requested again: the first and the longest wait. */
const firstWaitMs = 500;
const maxWaitMs = 8000;

interface OpenStage {
  stage: ViewerStage | undefined;
  index: number;
  total: number;
  /** Updates the stage after the list has lost or gained a photo. */
  renumber(total: number, index: number): void;
  /** Zoom in percent of the picture's own pixels; undefined while the whole picture is visible. */
  percent: number | undefined;
  /** The shown picture could not be loaded. */
  isFaulty: boolean;
}

interface StageUse {
  /** Called when a picture failed to load. */
  onMissing(index: number): void;
  hasPanel: boolean;
  /** Opens the panel on a swipe up, and closes the panel on a swipe down. */
  setPanel(hasPanel: boolean): void;
}

/** Opens the stage for a photo. */
export function useViewerStage(
  id: number,
  first: number,
  { total: firstTotal, photoAt, load }: ViewerPhotos,
  use: StageUse,
): OpenStage {
  const router = useRouter();
  const wall = useWallContext();
  const [stage, setStage] = useState<ViewerStage>();
  const [index, setIndex] = useState(first);
  const [total, setTotal] = useState(firstTotal);
  const [percent, setPercent] = useState<number>();
  const [isFaulty, setFaulty] = useState(false);
  const shown = useRef(id);
  const used = useRef(use);
  used.current = use;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the stage opens once, for the first photo
  useEffect(() => {
    const isOverWall = () => router.history.location.state.isOverWall === true;
    const opener = document.activeElement;
    let isOver = false;
    const findTile = (id: number) => document.querySelector<HTMLElement>(`#content [data-id="${id}"]`);
    const opened = openViewerStage({
      index: first,
      total: firstTotal,
      isFirstPage: !isOverWall(),
      slideAt: (at) => {
        const photo = photoAt(at);
        return photo && createSlide(photo);
      },
      findTile: (slide) => findTile(slide.id),
      onChange: showSlide,
      onZoom: setPercent,
      onFault: setFaulty,
      onMissing: (at) => used.current.onMissing(at),
      onTap: () => toggleControls(opened.element),
      onSwipe: (direction) => used.current.setPanel(direction === 'up'),
      canClose: () => !used.current.hasPanel,
      onClose: () => setStage(undefined),
      onClosed: () => {
        const from = findTile(shown.current) ?? opener;
        if (from instanceof HTMLElement) from.focus({ preventScroll: true });
        if (isOverWall()) router.history.back();
        else router.history.replace(wall.href);
      },
    });
    setStage(opened);
    showSlide(first);
    return () => {
      isOver = true;
      setStage(undefined);
      opened.leave();
    };

    function showSlide(at: number): void {
      setIndex(at);
      void loadSlide(at, firstWaitMs);
      handleSlideChange(at);
    }

    /** Loads the photos around an index, and retries while the user waits for them. */
    async function loadSlide(at: number, waitMs: number): Promise<void> {
      const isCurrent = () => !isOver && opened?.shown().index === at;
      try {
        const places = await load(at);
        for (const place of places) opened?.refresh(place);
        // The user may have moved to another photo meanwhile.
        if (places.length > 0 && isCurrent()) handleSlideChange(at);
      } catch (error) {
        if (error instanceof ApiError && !isTemporaryError(error)) return;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        if (isCurrent() && !photoAt(at)) await loadSlide(at, Math.min(waitMs * 2, maxWaitMs));
      }
    }

    function handleSlideChange(at: number): void {
      const photo = photoAt(at);
      if (!photo) return;
      wall.reveal(at, photo.id);
      const { state } = router.history.location;
      const isKnown = canLocatePhotos(wall.list) || state.place === at;
      if (photo.id === shown.current && isKnown) return;
      shown.current = photo.id;
      router.history.replace(wall.getHref(photo.id), { ...state, place: at });
    }
  }, []);

  const opened = useRef(stage);
  opened.current = stage;
  const renumber = useCallback((next: number, at: number) => {
    if (next === 0) return opened.current?.close();
    setTotal(next);
    opened.current?.renumber(next, at);
  }, []);
  return { stage, index, total, renumber, percent, isFaulty };
}

function createSlide(photo: NonNullable<ReturnType<ViewerPhotos['photoAt']>>) {
  return {
    id: photo.id,
    src: photo.preview,
    srcset: buildStageSrcset(photo),
    msrc: photo.thumb,
    width: photo.width,
    height: photo.height,
    alt: getPhotoName(photo),
  };
}
