/**
 * The stage: PhotoSwipe shows one picture of a list above the page. Only this file and zoom.ts use
 * PhotoSwipe.
 */
import PhotoSwipe, { type SlideData } from 'photoswipe';
import 'photoswipe/style.css';
import { replaceFirstPicture } from './replace-first-picture.ts';
import { chooseSecondaryZoom, createViewerZoom, type ViewerZoom } from './zoom.ts';

export interface ViewerStageOptions {
  index: number;
  total: number;
  /** Returns the slide at an index, or undefined before it is loaded; `refresh` is called afterwards. */
  slideAt(index: number): SlideData | undefined;
  /** Returns the tile on the page below, for the animation between tile and slide. */
  findTile(slide: SlideData): HTMLElement | null;
  /** True if the viewer is the first page in the tab, so there is no tile to animate from. */
  isFirstPage: boolean;
  onChange(index: number): void;
  /**
   * Reports the zoom in percent of the picture's own pixels; undefined while the whole picture is visible.
   */
  onZoom(percent: number | undefined): void;
  /** Called when a picture failed to load. */
  onMissing(index: number): void;
  /** Reports whether the shown picture could not be loaded. */
  onFault(isFaulty: boolean): void;
  /** Called on a tap on the picture. */
  onTap(): void;
  /** Called when a finger swiped up, or down if `canClose` returns false. */
  onSwipe(direction: 'up' | 'down'): void;
  /** Returns whether a swipe down closes the viewer. */
  canClose(): boolean;
  /** `onClose` is called when the closing animation starts, `onClosed` after it. */
  onClose(): void;
  onClosed(): void;
}

export interface ViewerStage {
  element: HTMLElement;
  /** Returns the slide shown now, even before React renders the change. */
  shown(): { index: number; id: number | undefined };
  /** Sets the accessible name of the dialog. */
  setLabel(label: string): void;
  /** Returns whether the shown picture is still being loaded. */
  isLoading(): boolean;
  goTo(index: number): void;
  next(): void;
  previous(): void;
  refresh(index: number): void;
  /** Updates the number of photos after a removal or restoration, and shows the photo at `index`. */
  renumber(total: number, index: number): void;
  zoom: ViewerZoom;
  /** Reserves pixels on the right or at the bottom, which the picture does not use. */
  setPadding(padding: { right: number; bottom: number }): void;
  close(): void;
  /** Closes the stage without calling `onClose` or `onClosed`, even during the opening animation. */
  leave(): void;
}

const animationMs = 240;

export function openViewerStage(options: ViewerStageOptions): ViewerStage {
  const { index, slideAt, findTile, isFirstPage } = options;
  let { total } = options;
  let padding = { right: 0, bottom: 0 };
  let isLeaving = false;
  const prefersStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const pswp = new PhotoSwipe({
    index,
    loop: false,
    bgOpacity: 1,
    preload: [1, 2],
    // The page below is inert, and use-stage.ts focuses the tile of the last shown photo.
    ...{ trapFocus: false, returnFocus: false },
    // viewer.tsx says that a picture cannot be loaded.
    errorMsg: '',
    // The viewer has its own bar, panel and shortcuts.
    ...{ zoom: false, close: false, counter: false, arrowPrev: false, arrowNext: false },
    secondaryZoomLevel: chooseSecondaryZoom,
    maxZoomLevel: 3,
    imageClickAction: false,
    bgClickAction: 'close',
    tapAction: () => options.onTap(),
    showHideAnimationType: isFirstPage ? 'none' : prefersStill ? 'fade' : 'zoom',
    showAnimationDuration: animationMs,
    hideAnimationDuration: animationMs,
    paddingFn: () => ({ top: 0, left: 0, ...padding }),
  });
  pswp.addFilter('numItems', () => total);
  pswp.addFilter('itemData', (_, at) => slideAt(at) ?? { html: '' });
  pswp.addFilter('thumbEl', (_, data) => findTile(data) as HTMLElement);
  pswp.addFilter(
    'placeholderSrc',
    (src, content) => findTileImage(findTile(content.data))?.currentSrc || src,
  );
  // The viewer handles all keys, even during the opening animation. PhotoSwipe's own handler moves the focus from a form
  // of the panel to the first button at the first Tab.
  pswp.on('keydown', (event) => event.preventDefault());
  const reportFault = () => options.onFault(pswp.currSlide?.content.isError() ?? false);
  pswp.on('loadComplete', reportFault);
  pswp.on('change', () => {
    reportFault();
    options.onChange(pswp.currIndex);
  });
  pswp.on('loadError', ({ content }) => options.onMissing(content.index));
  const zoom = createViewerZoom(pswp, () => options.onZoom(zoom.percent()));
  reportSwipes(pswp, options);
  replaceFirstPicture(pswp, index);
  const page = document.getElementById('app')!;
  pswp.on('close', () => !isLeaving && options.onClose());
  pswp.on('destroy', () => {
    page.inert = false;
    if (!isLeaving) options.onClosed();
  });
  pswp.init();
  page.inert = true;
  const runWhenOpen = (step: () => void) => {
    if (pswp.opener.isOpen) step();
    else pswp.on('openingAnimationEnd', step);
  };
  const element = pswp.element!;
  element.setAttribute('aria-modal', 'true');
  element.focus({ preventScroll: true });
  // PhotoSwipe handles double taps but not double clicks. Browsers send `dblclick` for double taps too, so
  // only a mouse counts.
  let isMouse = false;
  pswp.scrollWrap!.addEventListener('pointerdown', ({ pointerType }) => {
    isMouse = pointerType === 'mouse';
  });
  pswp.scrollWrap!.addEventListener('dblclick', ({ clientX, clientY }) => {
    if (isMouse) zoom.toggle({ x: clientX, y: clientY });
  });

  return {
    element,
    shown: () => ({ index: pswp.currIndex, id: pswp.currSlide?.data.id }),
    setLabel: (label) => element.setAttribute('aria-label', label),
    isLoading: () => pswp.currSlide?.content.isLoading() ?? false,
    goTo: (at) => at !== pswp.currIndex && pswp.goTo(at),
    next: () => runWhenOpen(() => pswp.next()),
    previous: () => runWhenOpen(() => pswp.prev()),
    refresh(at) {
      pswp.refreshSlideContent(at);
      reportFault();
    },
    renumber(next, at) {
      const last = Math.max(total, next);
      total = Math.max(total, next);
      pswp.goTo(at);
      total = next;
      // Neighboring positions now hold other photos, so their slides are refreshed.
      for (let place = Math.max(0, at - 4); place < Math.min(last, at + 5); place++) {
        pswp.refreshSlideContent(place);
      }
    },
    zoom,
    setPadding(next) {
      padding = next;
      pswp.updateSize(true);
    },
    close: () => runWhenOpen(() => pswp.close()),
    leave() {
      isLeaving = true;
      runWhenOpen(() => pswp.close());
    },
  };
}

/** Pixels that a finger moves up or down at least, so that the movement counts as a swipe. */
const swipePx = 40;

/** Reports swipes up, and swipes down that do not close the viewer. The picture stays where it is. */
function reportSwipes(
  pswp: PhotoSwipe,
  { canClose, onSwipe }: Pick<ViewerStageOptions, 'canClose' | 'onSwipe'>,
): void {
  let moved = 0;
  pswp.on('pointerDown', () => {
    moved = 0;
  });
  pswp.on('verticalDrag', (event) => {
    const { pan, bounds } = pswp.currSlide!;
    const isUp = event.panY < bounds.center.y;
    if (!isUp && canClose() && moved >= 0) return;
    moved += event.panY - pan.y;
    event.preventDefault();
  });
  pswp.on('pointerUp', () => {
    if (Math.abs(moved) >= swipePx) onSwipe(moved < 0 ? 'up' : 'down');
    moved = 0;
  });
}

function findTileImage(tile: HTMLElement | null): HTMLImageElement | null {
  return tile?.querySelector('img') ?? null;
}
