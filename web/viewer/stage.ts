/** PhotoSwipe, and all that the gallery knows of it: a list of pictures over the page, one of them shown. */
import PhotoSwipe, { type SlideData } from 'photoswipe';
import 'photoswipe/style.css';
import { trapFocus } from './trap-focus.ts';
import { createZoom, secondaryZoom, type Zoom } from './zoom.ts';

export interface StageOptions {
  index: number;
  total: number;
  /** Undefined while it is not loaded: `refresh` when it is. */
  slideAt(index: number): SlideData | undefined;
  /** The picture on the page below, out of which a slide grows and into which it goes back. */
  tileOf(slide: SlideData): HTMLElement | null;
  /** Of the whole dialog. */
  label: string;
  /** Without a tile to grow out of, as when the page was opened here. */
  isFirstPage: boolean;
  onChange(index: number): void;
  /** Of the picture's own pixels; undefined where all of it is shown. */
  onZoom(percent: number | undefined): void;
  /** A picture did not come. */
  onMissing(index: number): void;
  /** It begins to leave, and it has left. */
  onClose(): void;
  onClosed(): void;
}

export interface Stage {
  element: HTMLElement;
  /** Of the slide that is shown now: known before the page is drawn again. */
  shown(): { index: number; id: number | undefined };
  goTo(index: number): void;
  next(): void;
  previous(): void;
  refresh(index: number): void;
  /** The list has lost or got a photo: so many are left, and this one is to be shown. */
  renumber(total: number, index: number): void;
  zoom: Zoom;
  /** Pixels at the right, or at the bottom, that are not the picture's. */
  setPadding(padding: { right: number; bottom: number }): void;
  close(): void;
  /** Also in the midst of opening; tells nobody. */
  leave(): void;
}

const animationMs = 240;

export function openStage(options: StageOptions): Stage {
  const { index, slideAt, tileOf, label, isFirstPage } = options;
  let { total } = options;
  let padding = { right: 0, bottom: 0 };
  let isLeaving = false;
  const prefersStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const pswp = new PhotoSwipe({
    index,
    loop: false,
    bgOpacity: 1,
    preload: [1, 2],
    // To the tile of the photo that was shown last: use-stage.ts.
    returnFocus: false,
    // Our own bar, panel and keys.
    ...{ zoom: false, close: false, counter: false, arrowPrev: false, arrowNext: false },
    secondaryZoomLevel: secondaryZoom,
    maxZoomLevel: 3,
    imageClickAction: 'toggle-controls',
    bgClickAction: 'close',
    tapAction: 'toggle-controls',
    showHideAnimationType: isFirstPage ? 'none' : prefersStill ? 'fade' : 'zoom',
    showAnimationDuration: animationMs,
    hideAnimationDuration: animationMs,
    paddingFn: () => ({ top: 0, left: 0, ...padding }),
  });
  pswp.addFilter('numItems', () => total);
  pswp.addFilter('itemData', (_, at) => slideAt(at) ?? { html: '' });
  pswp.addFilter('thumbEl', (_, data) => tileOf(data) as HTMLElement);
  pswp.addFilter('placeholderSrc', (src, content) => findTileImage(tileOf(content.data))?.currentSrc || src);
  // Keys are the viewer's: one that comes while it opens counts, too.
  pswp.on('keydown', (event) => event.originalEvent.key !== 'Tab' && event.preventDefault());
  pswp.on('change', () => options.onChange(pswp.currIndex));
  pswp.on('loadError', ({ content }) => options.onMissing(content.index));
  const zoom = createZoom(pswp, () => options.onZoom(zoom.percent()));
  pswp.on('close', () => !isLeaving && options.onClose());
  pswp.on('destroy', () => !isLeaving && options.onClosed());
  pswp.init();
  const runWhenOpen = (step: () => void) => {
    if (pswp.opener.isOpen) step();
    else pswp.on('openingAnimationEnd', step);
  };
  const element = pswp.element!;
  element.setAttribute('aria-label', label);
  element.setAttribute('aria-modal', 'true');
  pswp.events.add(document, 'keydown', (event) => trapFocus(element, event as KeyboardEvent));
  // PhotoSwipe knows double taps; a mouse has its own word for that. A browser says it of two taps as well.
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
    goTo: (at) => at !== pswp.currIndex && pswp.goTo(at),
    next: () => runWhenOpen(() => pswp.next()),
    previous: () => runWhenOpen(() => pswp.prev()),
    refresh: (at) => pswp.refreshSlideContent(at),
    renumber(next, at) {
      const last = Math.max(total, next);
      total = Math.max(total, next);
      pswp.goTo(at);
      total = next;
      // Others stand where those that were looked at stood.
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

function findTileImage(tile: HTMLElement | null): HTMLImageElement | null {
  return tile?.querySelector('img') ?? null;
}
