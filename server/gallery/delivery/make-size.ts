/**
 * Renders a size when a client first requests it, once per process even for many parallel requests. Sizes wait
 * behind uploads, and callers take turns. The record docs/adr/0035-sizes-on-demand.md has the reasons.
 */
import { Counter, type Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../platform/concurrency/fair-order.ts';
import { createFairQueue } from '../../platform/concurrency/fair-queue.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { QueueFullError } from '../../platform/imaging/errors.ts';
import { objectName } from '../../platform/storage/keys.ts';
import type { ImageAccessRow } from './image-rows.ts';
import { getFullPictureName } from './paths.ts';
import type { RenditionCache } from './renditions.ts';
import { findSizeRenderOutcome, type SizeRenderOutcome, saveSizeRenderOutcome } from './size-rows.ts';
import {
  buildSizeName,
  canRenderFromPreview,
  computeCardSize,
  isCard,
  maxCardBytes,
  type RenderedSizeSpec,
} from './sizes.ts';

/** Milliseconds that a request for a size waits for a slot before the server redirects to the preview. */
const maxWaitMs = 10_000;

/** Caller of all jobs that render sizes: together they have one place in the imaging queue, behind uploads. */
const imagingCaller: Caller = { name: 'sizes', address: '' };

const sizeMade = 'size made';

/**
 * Returns a function that renders and stores a size. A size that is `oversized` is not stored. The function throws
 * photoNotFound if the image is gone, QueueFullError if too many sizes wait, and any error of rendering and
 * storing.
 */
export function createRenderStoredSize(deps: Deps, renditions: Pick<RenditionCache, 'add'>) {
  const queue = createFairQueue({
    maxRunning: 4,
    maxRunningPerCaller: 2,
    maxWaiting: 64,
    maxWaitingPerAddress: 48,
    maxWaitingPerCaller: 24,
    maxWaitMs,
    refuse: () => new QueueFullError(2),
  });
  const underWay = new Map<string, Promise<SizeRenderOutcome>>();

  return (image: ImageAccessRow, size: RenderedSizeSpec, caller: Caller): Promise<SizeRenderOutcome> => {
    const name = buildSizeName(image.key, size);
    const known = underWay.get(name);
    if (known) return known;
    const work = queue
      .with(caller, () => makeOnce(deps, renditions, image, size))
      .finally(() => {
        underWay.delete(name);
      });
    underWay.set(name, work);
    return work;
  };
}

/**
 * Renders and stores a size, and records the outcome. Two processes may render the same size at once. Both write
 * the same object and the same bit, so neither removes the object while the image exists.
 */
async function makeOnce(
  deps: Deps,
  renditions: Pick<RenditionCache, 'add'>,
  image: ImageAccessRow,
  size: RenderedSizeSpec,
): Promise<SizeRenderOutcome> {
  const { key } = image;
  // Another request may have stored the size after this request read the image's row.
  const known = await findSizeRenderOutcome(deps, key, size);
  if (known) return known;
  const name = buildSizeName(key, size);
  const source = await renderSize(deps, image, size);
  const isOversized = source.length > maxStoredBytes(image, size);
  if (!isOversized) await deps.storage.put([{ name, source }]);
  const outcome = isOversized ? 'oversized' : 'made';
  if (!(await saveSizeRenderOutcome(deps, key, size, outcome))) {
    await deps.storage.remove(name).catch(() => {});
    throw errors.photoNotFound();
  }
  if (isOversized) return outcome;
  renditions.add(name, source);
  deps.db.events.emit(sizeMade);
  return outcome;
}

export function registerSizeMetrics(registry: Registry, { db }: Pick<Deps, 'db'>): void {
  const counter = new Counter({
    name: 'lightwell_sizes_made_total',
    help: 'Image sizes created on demand',
    registers: [registry],
  });
  db.events.on(sizeMade, () => counter.inc());
}

/**
 * Bytes that a JPEG size may always have, even if the image's file has fewer. A client that needs JPEG has no
 * substitute if the preview has another format.
 */
const freeJpegBytes = 128 * 1024;

/**
 * Returns the maximum number of bytes of a stored size. A size larger than the image's file costs more storage than
 * it saves traffic, and the preview replaces it.
 */
function maxStoredBytes(image: ImageAccessRow, size: RenderedSizeSpec): number {
  const { format } = size;
  // A link preview has no substitute for the card, which has a limit of its own.
  if (isCard(size)) return Number.POSITIVE_INFINITY;
  const needsFormat = format === 'jpg' && image.preview_extension !== 'jpg';
  return needsFormat ? Math.max(image.size, freeJpegBytes) : image.size;
}

/**
 * Renders a size from the preview if it is wide enough. Otherwise renders from the file, or from the `full`
 * rendition of a HEIC, TIFF or AVIF file.
 */
async function renderSize({ storage, imaging }: Deps, image: ImageAccessRow, size: RenderedSizeSpec) {
  const { format } = size;
  const { key, width, height, frames, preview_extension } = image;
  const wanted = isCard(size)
    ? { to: computeCardSize(image).width, maxBytes: maxCardBytes }
    : { to: size.width };
  const asked = { width, height, isAnimated: frames > 1, format, ...wanted };
  // All sizes of an image share one content id. If one of them exceeded the limits of rendering, all of them are
  // refused for an hour.
  const patience = AbortSignal.timeout(maxWaitMs);
  const request = { caller: imagingCaller, isBehind: true, contentId: key, patience };
  if (canRenderFromPreview(image, size)) {
    const preview = await storage.read(objectName(key, 'preview', preview_extension));
    if (!preview) throw errors.photoNotFound();
    return imaging.size(preview, { ...asked, hasAlpha: preview_extension !== 'jpg' }, request);
  }
  const names = { ...image, image_kind: image.kind, image_extension: image.extension };
  const file = await storage.openLocalFile(getFullPictureName(key, names));
  if (!file) throw errors.photoNotFound();
  try {
    return await imaging.size(file.path, asked, request);
  } finally {
    await file.release();
  }
}
