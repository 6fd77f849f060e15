/** A thumbnail of a local file, decoded one at a time and only for visible rows. */
import { useEffect, useRef } from 'react';
import styles from './row.module.css';

const thumbnailSide = 96;
const maxBytes = 24 * 1024 * 1024;
const restMs = 120;

let lastDecode: Promise<void> = Promise.resolve();

export function FileThumbnail({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (file.size > maxBytes || !file.type.startsWith('image/')) return;
    let isGone = false;
    const timer = setTimeout(() => {
      lastDecode = lastDecode
        .then(() => (isGone ? undefined : drawThumbnail(file, canvas.current)))
        .catch(() => {});
    }, restMs);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [file]);
  return <canvas className={styles.thumbnail} ref={canvas} width={thumbnailSide} height={thumbnailSide} />;
}

async function drawThumbnail(file: File, canvas: HTMLCanvasElement | null): Promise<void> {
  const picture = await createImageBitmap(file, { resizeHeight: thumbnailSide * 2, resizeQuality: 'medium' });
  const { width, height } = picture;
  const cut = Math.min(width, height);
  canvas
    ?.getContext('2d')
    ?.drawImage(picture, (width - cut) / 2, (height - cut) / 2, cut, cut, 0, 0, thumbnailSide, thumbnailSide);
  picture.close();
}
