/** Zooms in the viewer, and loads the original when the generated sizes are too small for the zoom. */
import type PhotoSwipe from 'photoswipe';

/** Width of the largest generated size, in pixels. */
const largestSize = 2560;
/** Factor by which each key press zooms in or out. */
const zoomFactor = 1.5;

export interface ViewerZoom {
  /** Zoom in percent of the picture's own pixels; undefined while the whole picture is visible. */
  percent(): number | undefined;
  nearer(): void;
  farther(): void;
  /** Switches between the whole picture and 100 %, where a pixel of the picture is a pixel of the screen. */
  toggle(point?: { x: number; y: number }): void;
  /** Replaces the picture with the sharpest version if the zoom is large enough to see the difference. */
  sharpen(): void;
  /** Returns the path of the sharpest version of the shown picture, or undefined before it is known. */
  sharpestAt: (index: number) => string | undefined;
}

/**
 * Returns the zoom of 100 %: a picture pixel per screen pixel. A small picture is enlarged to twice its
 * fitted size.
 */
export function chooseSecondaryZoom({ fit }: { fit: number }): number {
  const whole = 1 / window.devicePixelRatio;
  return whole > fit * 1.05 ? whole : fit * 2;
}

export function createViewerZoom(pswp: PhotoSwipe, onZoom: () => void): ViewerZoom {
  /** Image that is being loaded; the user may leave its picture before it arrives. */
  let coming: HTMLImageElement | undefined;

  const zoom: ViewerZoom = {
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

  /**
   * Loads and decodes the sharper image first, then replaces the shown one between two frames at the same
   * zoom.
   */
  async function replace(shown: HTMLImageElement, path: string): Promise<void> {
    const image = new Image();
    coming = image;
    image.src = path;
    try {
      await image.decode();
    } catch {
      // The sharper image failed to load, so the shown one stays.
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
    // Removing `src` cancels the download.
    image?.removeAttribute('src');
  }
}
