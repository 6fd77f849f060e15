/** The crop frame before it becomes a step, which the next other action causes. */
import { useState } from 'react';
import { centerCrop, makeAspectCrop, type PercentCrop } from 'react-image-crop';
import type { EditStep } from '../api/types.ts';
import { isWholePictureCrop, type PixelSize, toPixelCrop } from './steps.ts';

const wholePicture: PercentCrop = { unit: '%', x: 0, y: 0, width: 100, height: 100 };

export const cropRatios = {
  free: 0,
  original: 0,
  '1:1': 1,
  '5:4': 5 / 4,
  '4:3': 4 / 3,
  '3:2': 3 / 2,
  '16:9': 16 / 9,
  '4:5': 4 / 5,
  '3:4': 3 / 4,
  '2:3': 2 / 3,
  '9:16': 9 / 16,
};
export type CropRatio = keyof typeof cropRatios;

export function useCropArea(size: PixelSize) {
  const [crop, setCrop] = useState(wholePicture);
  const [ratio, setRatio] = useState<CropRatio>('free');
  const aspect = findAspect(ratio, size);
  return {
    crop,
    ratio,
    aspect,
    setCrop,
    /** Sets the frame to the largest part of the picture with the given ratio. */
    choose(next: CropRatio) {
      setRatio(next);
      const wanted = findAspect(next, size);
      if (!wanted) return;
      const { width, height } = size;
      const fits = makeAspectCrop(
        { unit: '%', ...(width / height > wanted ? { height: 100 } : { width: 100 }) },
        wanted,
        width,
        height,
      );
      setCrop(centerCrop(fits, width, height));
    },
    reset() {
      setCrop(wholePicture);
      setRatio('free');
    },
    /** Returns a crop step in pixels of the picture, or undefined if the frame holds the whole picture. */
    step(): EditStep | undefined {
      const { x, y, width, height } = crop;
      const part = { x: x / 100, y: y / 100, width: width / 100, height: height / 100 };
      const params = toPixelCrop(size, part);
      return isWholePictureCrop(size, params) ? undefined : { action: 'crop', params };
    },
  };
}

function findAspect(ratio: CropRatio, { width, height }: PixelSize): number | undefined {
  if (ratio === 'original') return width / height;
  return cropRatios[ratio] || undefined;
}
