import type { Deadline } from '../deadline.ts';
import { type Encoded, encoded } from '../formats.ts';
import { openImage, type Source } from '../open.ts';
import { placeholderOf } from './placeholder.ts';
import { type Rendition, type Renditions, renditionSpecs } from './renditions.ts';

interface AnimationSize {
  width: number;
  height: number;
  frames: number;
}

/**
 * An animation keeps all its frames. They stream through the encoder one after the other, since all of them
 * decoded at once would be a gigabyte; the thumbnail is made from the preview, not from the file again.
 */
export async function renderAnimated(
  source: Source,
  withFull: boolean,
  deadline: Deadline,
): Promise<Renditions> {
  const { frames } = source.inspection;
  const full = withFull
    ? await renderAnimation(source.file, source.inspection, renditionSpecs.full, deadline)
    : undefined;
  const preview = await renderAnimation(
    full?.data ?? source.file,
    source.inspection,
    renditionSpecs.preview,
    deadline,
  );
  const thumb = await thumbOf(preview, frames, deadline);
  const firstFrame = openImage(thumb.data, { isAnimated: false, deadline });
  return { thumb, preview, full, placeholder: await placeholderOf(firstFrame) };
}

/** Made from the preview; a small animation's preview serves as its thumbnail, too. */
export async function thumbOf(preview: Encoded, frames: number, deadline: Deadline): Promise<Encoded> {
  const { width } = frameSize({ ...preview, frames }, renditionSpecs.thumb);
  if (width === preview.width) return preview;
  return await renderAnimation(preview.data, { ...preview, frames }, renditionSpecs.thumb, deadline);
}

/** One animated rendition, frames scaled to its side and to its budget of pixels. */
export async function renderAnimation(
  input: string | Buffer,
  size: AnimationSize,
  rendition: Rendition,
  deadline: Deadline,
): Promise<Encoded> {
  const { width, height } = frameSize(size, rendition);
  const { format, write } = rendition.animated;
  const image = openImage(input, { isAnimated: true, deadline });
  const data = await write(image.resize({ width, height, fit: 'fill' })).toBuffer();
  return encoded(data, format, { width, height });
}

function frameSize(size: AnimationSize, rendition: Rendition): { width: number; height: number } {
  const bySide = rendition.side / Math.max(size.width, size.height);
  const byPixels = Math.sqrt(rendition.animationPixels / (size.width * size.height * size.frames));
  const scale = Math.min(1, bySide, byPixels);
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
}
