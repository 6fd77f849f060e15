/** Zoom: how near one is, and the sharpest picture once the sizes on demand are too small for that. */
import type PhotoSwipe from 'photoswipe';

/** Pixels of the largest size on demand. */
const largestSize = 2560;
/** So much nearer or farther with each press of a key. */
const zoomFactor = 1.5;

export interface Zoom {
  /** Of the picture's own pixels; undefined where all of it is shown. */
  percent(): number | undefined;
  nearer(): void;
  farther(): void;
  /** All of the picture, or each of its pixels one of the screen. */
  toggle(point?: { x: number; y: number }): void;
  /** Puts the sharpest picture in its place where one is near enough to see it. */
  sharpen(): void;
  /** The way to it, for the picture shown; undefined where it is not known yet. */
  sharpestAt: (index: number) => string | undefined;
}

/** 100%: a pixel of the picture is one of the screen; a small picture is shown twice as large as it fits. */
export function secondaryZoom({ fit }: { fit: number }): number {
  const whole = 1 / window.devicePixelRatio;
  return whole > fit * 1.05 ? whole : fit * 2;
}

export function createZoom(pswp: PhotoSwipe, onZoom: () => void): Zoom {
  /** What is being loaded, for a picture that may be left before it comes. */
  let coming: HTMLImageElement | undefined;

  const zoom: Zoom = {
    sharpestAt: () => undefined,
    percent() {
      const slide = pswp.currSlide;
      if (!slide || slide.currZoomLevel <= slide.zoomLevels.initial * 1.01) return undefined;
      return Math.round(slide.currZoomLevel * window.devicePixelRatio * 100);
    },
    nearer: () => animateZoom((pswp.currSlide?.currZoomLevel ?? 1) * zoomFactor),
    farther: () => animateZoom((pswp.currSlide?.currZoomLevel ?? 1) / zoomFactor),
    toggle: (point) => pswp.currSlide?.toggleZoom(point),
    sharpen: loadSharper,
  };
  pswp.on('zoomPanUpdate', () => {
    loadSharper();
    onZoom();
  });
  pswp.on('change', () => {
    releaseZoom();
    onZoom();
  });
  pswp.on('destroy', releaseZoom);
  return zoom;

  function animateZoom(level: number): void {
    const slide = pswp.currSlide;
    if (!slide?.isZoomable()) return;
    const { initial, max } = slide.zoomLevels;
    slide.zoomTo(Math.min(max, Math.max(initial, level)), undefined, pswp.options.zoomAnimationDuration);
  }

  function loadSharper(): void {
    const slide = pswp.currSlide;
    const shown = slide?.content.element;
    if (!slide || !(shown instanceof HTMLImageElement) || coming || shown.dataset.sharpest) return;
    const wanted = slide.width * slide.currZoomLevel * window.devicePixelRatio;
    if (slide.width <= largestSize || wanted <= largestSize) return;
    const path = zoom.sharpestAt(pswp.currIndex);
    if (path) void replace(shown, path);
  }

  /** Decoded beforehand, it takes the place of the other between two frames: same box, same zoom. */
  async function replace(shown: HTMLImageElement, path: string): Promise<void> {
    const image = new Image();
    coming = image;
    image.src = path;
    try {
      await image.decode();
    } catch {
      // Left before it came, or it did not come: what is shown stays.
      if (coming === image) shown.dataset.sharpest = 'none';
    }
    if (coming !== image) return;
    coming = undefined;
    if (shown.dataset.sharpest) return;
    shown.dataset.sharpest = path;
    shown.decoding = 'sync';
    shown.removeAttribute('srcset');
    shown.src = path;
  }

  function releaseZoom(): void {
    const image = coming;
    coming = undefined;
    // Ends the transfer.
    image?.removeAttribute('src');
  }
}
