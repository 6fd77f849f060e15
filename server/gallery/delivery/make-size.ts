/**
 * Makes a size when it is first requested: once in this process, however many requests there are. Sizes wait behind
 * uploads, and callers take turns. Why: docs/adr/0035-sizes-on-demand.md.
 */
import { Counter, type Registry } from 'prom-client';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../platform/concurrency/fair-order.ts';
import { createFairQueue } from '../../platform/concurrency/fair-queue.ts';
import { errors } from '../../platform/errors/catalogue.ts';
import { QueueFullError } from '../../platform/imaging/errors.ts';
import { objectName } from '../../platform/storage/keys.ts';
import type { GuardedImage } from './image-rows.ts';
import { fullName } from './paths.ts';
import type { RenditionCache } from './renditions.ts';
import { findOutcome, type Outcome, saveOutcome } from './size-rows.ts';
import { isOfPreview, type Size, sizeName } from './sizes.ts';

/** A viewer waits so long for a place; then the preview is there at once. */
const maxWaitMs = 10_000;

/** In the imaging queue, where they wait behind uploads, sizes have one share all together. */
const imagingCaller: Caller = { name: 'sizes', address: '' };

const sizeMade = 'size made';

/**
 * The returned function resolves when the size is stored, or is known to be `oversized`: then nothing is stored. Throws
 * photoNotFound when the image has gone, QueueFullError when too many are to be made, and what storing and rendering throw.
 */
export function createMakeSize(deps: Deps, renditions: Pick<RenditionCache, 'keep'>) {
  const queue = createFairQueue({
    maxRunning: 4,
    maxRunningPerCaller: 2,
    maxWaiting: 64,
    maxWaitingPerAddress: 48,
    maxWaitingPerCaller: 24,
    maxWaitMs,
    refuse: () => new QueueFullError(2),
  });
  const underWay = new Map<string, Promise<Outcome>>();

  return (image: GuardedImage, size: Size, caller: Caller): Promise<Outcome> => {
    const name = sizeName(image.key, size);
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
 * Two processes may make the same size at the same time. Both write the same object and the same bit, so neither may
 * remove the object as long as the image is there.
 */
async function makeOnce(
  deps: Deps,
  renditions: Pick<RenditionCache, 'keep'>,
  image: GuardedImage,
  size: Size,
): Promise<Outcome> {
  const { key } = image;
  // The size may have been made since the request read the image's row.
  const known = await findOutcome(deps, key, size);
  if (known) return known;
  const name = sizeName(key, size);
  const source = await render(deps, image, size);
  const isOversized = source.length > maxStoredBytes(image, size);
  if (!isOversized) await deps.storage.put([{ name, source }]);
  const outcome = isOversized ? 'oversized' : 'made';
  if (!(await saveOutcome(deps, key, size, outcome))) {
    await deps.storage.remove(name).catch(() => {});
    throw errors.photoNotFound();
  }
  if (isOversized) return outcome;
  renditions.keep(name, source);
  deps.db.events.emit(sizeMade);
  return outcome;
}

export function measureSizes(registry: Registry, { db }: Pick<Deps, 'db'>): void {
  const counter = new Counter({
    name: 'lightwell_sizes_made_total',
    help: 'Sizes of images that were made on demand',
    registers: [registry],
  });
  db.events.on(sizeMade, () => counter.inc());
}

/** Bytes that a JPEG may have even if its file has fewer: no preview stands in for it where the preview is no JPEG. */
const freeJpegBytes = 128 * 1024;

/** A larger size costs its owner's storage more than it saves its viewer: the preview is there. */
function maxStoredBytes(image: GuardedImage, { format }: Size): number {
  const needsFormat = format === 'jpg' && image.preview_extension !== 'jpg';
  return needsFormat ? Math.max(image.size, freeJpegBytes) : image.size;
}

/** From the preview where it is wide enough, else from the file at `path`: of a HEIC, TIFF or AVIF the `full` one. */
async function render({ storage, imaging }: Deps, image: GuardedImage, size: Size) {
  const { width: to, format } = size;
  const { key, width, height, frames, preview_extension } = image;
  const asked = { width, height, isAnimated: frames > 1, to, format };
  // If one size of a picture took too much, all of them are refused for an hour.
  const patience = AbortSignal.timeout(maxWaitMs);
  const request = { caller: imagingCaller, isBehind: true, contentId: key, patience };
  if (isOfPreview(image, size)) {
    const preview = await storage.read(objectName(key, 'preview', preview_extension));
    if (!preview) throw errors.photoNotFound();
    return imaging.size(preview, { ...asked, hasAlpha: preview_extension !== 'jpg' }, request);
  }
  const names = { ...image, image_kind: image.kind, image_extension: image.extension };
  const file = await storage.local(fullName(key, names));
  if (!file) throw errors.photoNotFound();
  try {
    return await imaging.size(file.path, asked, request);
  } finally {
    await file.release();
  }
}
