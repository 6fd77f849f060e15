/** A picture of a given width: sRGB, upright, without metadata. */
import type { Sharp } from 'sharp';
import { createDeadline, type Deadline } from '../deadline.ts';
import { undecodable } from '../errors.ts';
import { maxSide, maxTransparentWebpPixels, maxWebpPixels, renderSeconds } from '../limits.ts';
import { type Input, openImage } from '../open.ts';
import { inputOptions, sharp } from '../sharp.ts';
import { renderAnimation } from './animated.ts';
import { renditionSpecs } from './renditions.ts';

export type SizeFormat = 'webp' | 'jpg';

export interface SizeRequest {
  /** Upright pixels of the picture that it shows; `input` may be a smaller copy of it. */
  width: number;
  height: number;
  hasAlpha: boolean;
  isAnimated: boolean;
  /** Of what is made: never more than the picture has. */
  to: number;
  format: SizeFormat;
}

/** Encoders as of the thumbnail: docs/adr/0035-sizes-on-demand.md. Throws ImageError. */
export async function renderSize(input: Input, request: SizeRequest, signal?: AbortSignal): Promise<Buffer> {
  const deadline = createDeadline(renderSeconds, signal);
  try {
    if (request.isAnimated && request.format === 'webp') return await renderMoving(input, request, deadline);
    const image = openImage(input, { isAnimated: false, deadline });
    return await writers[request.format](
      image.resize({ ...sizeOf(request), fit: 'fill' }),
      request,
    ).toBuffer();
  } catch (error) {
    throw undecodable(error);
  }
}

const writers: Record<SizeFormat, (image: Sharp, request: SizeRequest) => Sharp> = {
  webp: (image) => image.webp({ quality: 80, effort: 2 }),
  // JPEG knows no transparency: behind it lies a white page.
  jpg: (image, { hasAlpha }) =>
    (hasAlpha ? image.flatten({ background: '#fff' }) : image).jpeg({ quality: 80 }),
};

/**
 * In pixels. What is much taller than wide is made narrower: formats have a longest side, and encoders hold what they
 * write.
 */
export function sizeOf({ width, height, hasAlpha, to }: Omit<SizeRequest, 'format' | 'isAnimated'>) {
  const scale = Math.min(1, to / width);
  const pixels = width * height * scale * scale;
  const maxPixels = hasAlpha ? maxTransparentWebpPixels : maxWebpPixels;
  const bounded = scale * Math.min(1, maxSide / (height * scale), Math.sqrt(maxPixels / pixels));
  return {
    width: Math.max(1, Math.round(width * bounded)),
    height: Math.max(1, Math.round(height * bounded)),
  };
}

/** Of a preview with all its frames, none of which grows. */
async function renderMoving(input: Input, { to }: SizeRequest, deadline: Deadline): Promise<Buffer> {
  const { width, height, pageHeight, pages } = await sharp(input, {
    ...inputOptions,
    animated: true,
  }).metadata();
  const frame = { width, height: pageHeight ?? height, frames: pages ?? 1 };
  const side = Math.max(frame.width, frame.height) * Math.min(1, to / frame.width);
  const { data } = await renderAnimation(
    input,
    frame,
    { ...renditionSpecs.thumb, side, animationPixels },
    deadline,
  );
  return data;
}

const { animationPixels } = renditionSpecs.preview;
