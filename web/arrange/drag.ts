/** Lets the user drag photos of a wall to other positions; a gap opens at the drop position. */
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import type { PhotoMoveDestination } from './destination.ts';
import styles from './drag.module.css';

interface GapBetweenItems {
  previous: HTMLElement | undefined;
  next: HTMLElement | undefined;
}

const findTiles = (sheet: HTMLElement) => [...sheet.querySelectorAll<HTMLElement>('.tile[data-id]')];
const idOf = (tile: HTMLElement) => Number(tile.dataset.id);

/** `offer` makes a tile draggable. `stop` removes drag and drop from all tiles. */
export function createPhotoDragging(
  sheet: HTMLElement,
  onMove: (id: number, to: PhotoMoveDestination) => void,
) {
  const ends: (() => void)[] = [];
  const offered = new WeakSet<HTMLElement>();
  const marker = document.createElement('div');
  marker.className = styles.marker!;
  marker.dataset.gap = '';
  let shown: GapBetweenItems | undefined;
  let scroll = { speed: 0, frame: 0 };

  function showGap(gap: GapBetweenItems | undefined): void {
    if (gap?.previous === shown?.previous && gap?.next === shown?.next) return;
    shown?.previous?.classList.remove(styles.previous!);
    shown?.next?.classList.remove(styles.next!);
    shown = gap;
    marker.remove();
    if (!gap) return;
    gap.previous?.classList.add(styles.previous!);
    gap.next?.classList.add(styles.next!);
    const beside = gap.next ?? gap.previous!;
    const { left, top, right, height } = measureTile(beside);
    const origin = sheet.getBoundingClientRect();
    const x = gap.next ? left : right;
    Object.assign(marker.style, {
      left: `${x - origin.left}px`,
      top: `${top - origin.top}px`,
      height: `${height}px`,
    });
    sheet.append(marker);
  }

  /** Scrolls the page while the pointer is near the upper or lower edge of the window. */
  function scrollNearEdge(y: number): void {
    const edge = window.innerHeight * 0.12;
    const below = y - (window.innerHeight - edge);
    const above = edge - y;
    scroll.speed = below > 0 ? below : above > 0 ? -above : 0;
    if (scroll.speed !== 0 && scroll.frame === 0) scroll.frame = requestAnimationFrame(scrollStep);
  }
  function scrollStep(): void {
    scroll.frame = 0;
    if (scroll.speed === 0) return;
    window.scrollBy(0, scroll.speed / 5);
    scroll.frame = requestAnimationFrame(scrollStep);
  }
  function stopScrolling(): void {
    cancelAnimationFrame(scroll.frame);
    scroll = { speed: 0, frame: 0 };
    showGap(undefined);
  }

  ends.push(
    dropTargetForElements({
      element: sheet,
      canDrop: ({ source }) => source.data.photo !== undefined,
      onDrag({ source, location }) {
        const { clientX, clientY } = location.current.input;
        scrollNearEdge(clientY);
        showGap(findGap(sheet, clientX, clientY, source.element));
      },
      onDragLeave: stopScrolling,
      onDrop({ source, location }) {
        // Use the position of the drop: onDrag is called once per frame and misses a quick hand.
        const { clientX, clientY } = location.current.input;
        const gap = findGap(sheet, clientX, clientY, source.element);
        stopScrolling();
        if (gap) onMove(source.data.photo as number, gapToDestination(gap));
      },
    }),
    stopScrolling,
  );

  return {
    offer(tile: HTMLElement): void {
      if (offered.has(tile)) return;
      offered.add(tile);
      ends.push(
        draggable({
          element: tile,
          getInitialData: () => ({ photo: idOf(tile) }),
          onDragStart: () => tile.classList.add(styles.dragged!),
          onDrop: ({ location }) => {
            tile.classList.remove(styles.dragged!);
            // This handler runs before the wall's own drop handler.
            if (location.current.dropTargets.length === 0) stopScrolling();
          },
        }),
      );
    },
    stop(): void {
      for (const end of ends) end();
    },
  };
}

function gapToDestination({ previous, next }: GapBetweenItems): PhotoMoveDestination {
  return next ? { before: idOf(next) } : { after: idOf(previous!) };
}

/** Returns the tile's rectangle without the shift that opens the gap. */
function measureTile(tile: HTMLElement) {
  const { left, top, right, bottom, height } = tile.getBoundingClientRect();
  const shift = tile.classList.contains(styles.next!)
    ? -gapPx
    : tile.classList.contains(styles.previous!)
      ? gapPx
      : 0;
  return { left: left + shift, top, right: right + shift, bottom, height };
}
/** Width of the gap in pixels; drag.module.css has the same value. */
const gapPx = 10;

/** Returns the gap at a position, or undefined if the photo already stands there. */
function findGap(sheet: HTMLElement, x: number, y: number, source: Element): GapBetweenItems | undefined {
  const tiles = findTiles(sheet);
  const distances = tiles.map((tile) => {
    const { top, bottom } = measureTile(tile);
    return Math.max(0, top - y, y - bottom);
  });
  const nearest = Math.min(...distances);
  const rowTop = tiles.map((tile) => measureTile(tile).top)[distances.indexOf(nearest)];
  const row = tiles.filter((tile) => Math.abs(measureTile(tile).top - rowTop!) < 1);
  const at = row.findIndex((tile) => {
    const { left, right } = measureTile(tile);
    return x < (left + right) / 2;
  });
  const next = at === -1 ? undefined : row[at];
  const previous = at === -1 ? row.at(-1) : row[at - 1];
  const isThere = next === source || previous === source;
  return isThere || (!next && !previous) ? undefined : { previous, next };
}
