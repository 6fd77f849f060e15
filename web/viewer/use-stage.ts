/** Opens the stage once, keeps it and the address in step, and closes it the way one came. */
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { t } from '../messages/messages.ts';
import { photoName } from '../photos/name.ts';
import { canFind } from '../photos/queries.ts';
import { srcSetOf } from '../photos/wall/tile.tsx';
import { useWall } from '../photos/wall/wall-context.ts';
import { isPassing } from '../query-client.ts';
import { openStage, type Stage } from './stage.ts';
import type { ListPhotos } from './use-list-photos.ts';

const widths = [640, 960, 1280, 1920, 2560];
/** Until photos that did not come are asked for again: at first, and at last. */
const firstWaitMs = 500;
const mostWaitMs = 8000;

interface Staged {
  stage: Stage | undefined;
  index: number;
  total: number;
  /** After the list has lost or got a photo. */
  renumber(total: number, index: number): void;
  /** Of the picture's own pixels; undefined where all of it is shown. */
  percent: number | undefined;
}

/** `onMissing`: a photo whose picture did not come. */
export function useStage(
  id: number,
  first: number,
  { total: firstTotal, photoAt, load }: ListPhotos,
  onMissing: (index: number) => void,
): Staged {
  const router = useRouter();
  const wall = useWall();
  const [stage, setStage] = useState<Stage>();
  const [index, setIndex] = useState(first);
  const [total, setTotal] = useState(firstTotal);
  const [percent, setPercent] = useState<number>();
  const shown = useRef(id);
  const missing = useRef(onMissing);
  missing.current = onMissing;

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is opened once, where it began
  useEffect(() => {
    const isOverWall = () => router.history.location.state.isOverWall === true;
    const opener = document.activeElement;
    let isOver = false;
    const tileOf = (id: number) => document.querySelector<HTMLElement>(`#content [data-id="${id}"]`);
    const opened = openStage({
      index: first,
      total: firstTotal,
      label: t('photos'),
      isFirstPage: !isOverWall(),
      slideAt: (at) => {
        const photo = photoAt(at);
        return photo && slideOf(photo);
      },
      tileOf: (slide) => tileOf(slide.id),
      onChange: show,
      onZoom: setPercent,
      onMissing: (at) => missing.current(at),
      onClose: () => setStage(undefined),
      onClosed: () => {
        const from = tileOf(shown.current) ?? opener;
        if (from instanceof HTMLElement) from.focus({ preventScroll: true });
        if (isOverWall()) router.history.back();
        else router.history.replace(wall.href);
      },
    });
    setStage(opened);
    show(first);
    return () => {
      isOver = true;
      setStage(undefined);
      opened.leave();
    };

    function show(at: number): void {
      setIndex(at);
      void bring(at, firstWaitMs);
      follow(at);
    }

    /** What does not come is asked for again, as long as one waits for it. */
    async function bring(at: number, waitMs: number): Promise<void> {
      const isShown = () => !isOver && opened?.shown().index === at;
      try {
        const places = await load(at);
        for (const place of places) opened?.refresh(place);
        // One may have gone on meanwhile.
        if (places.length > 0 && isShown()) follow(at);
      } catch (error) {
        if (error instanceof ApiError && !isPassing(error)) return;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        if (isShown() && !photoAt(at)) await bring(at, Math.min(waitMs * 2, mostWaitMs));
      }
    }

    function follow(at: number): void {
      const photo = photoAt(at);
      if (!photo) return;
      wall.reveal(at, photo.id);
      const { state } = router.history.location;
      const isKnown = canFind(wall.list) || state.place === at;
      if (photo.id === shown.current && isKnown) return;
      shown.current = photo.id;
      router.history.replace(wall.hrefOf(photo.id), { ...state, place: at });
    }
  }, []);

  const opened = useRef(stage);
  opened.current = stage;
  const renumber = useCallback((next: number, at: number) => {
    if (next === 0) return opened.current?.close();
    setTotal(next);
    opened.current?.renumber(next, at);
  }, []);
  return { stage, index, total, renumber, percent };
}

function slideOf(photo: NonNullable<ReturnType<ListPhotos['photoAt']>>) {
  return {
    id: photo.id,
    src: photo.preview,
    srcset: srcSetOf(photo, widths),
    msrc: photo.thumb,
    width: photo.width,
    height: photo.height,
    alt: photoName(photo),
  };
}
