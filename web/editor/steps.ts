/** Edit steps in the API's format: how a step changes the size, and how later steps adapt. */
import { computeStraightenedSize } from '../../server/platform/imaging/edits/straighten.ts';
import type { EditStep } from '../api/types.ts';

export interface PixelSize {
  width: number;
  height: number;
}

type StepOf<Action extends EditStep['action']> = Extract<EditStep, { action: Action }>;
export type CropParams = StepOf<'crop'>['params'];
type FilterStep = StepOf<'filter'>;

/**
 * Computes the size after a step like the server (platform/imaging/edits/actions.ts), so that preview and
 * result match.
 */
export function computeSizeAfterStep({ width, height }: PixelSize, step: EditStep): PixelSize {
  switch (step.action) {
    case 'crop':
      return { width: step.params.width, height: step.params.height };
    case 'rotate':
      return step.params.angle === 180 ? { width, height } : { width: height, height: width };
    case 'straighten':
      return computeStraightenedSize({ width, height }, step.params.angle);
    case 'resize': {
      const { width: wide, height: high } = step.params;
      return {
        width: wide ?? Math.max(1, Math.round((width * high!) / height)),
        height: high ?? Math.max(1, Math.round((height * wide!) / width)),
      };
    }
    default:
      return { width, height };
  }
}

export function computeSizeAfterSteps(original: PixelSize, steps: EditStep[]): PixelSize {
  return steps.reduce(computeSizeAfterStep, original);
}

/**
 * Limits each crop to the picture, because a crop may exceed the picture after an earlier step was removed.
 */
export function fitCropsToPicture(original: PixelSize, steps: EditStep[]): EditStep[] {
  let size = original;
  const kept: EditStep[] = [];
  for (const step of steps) {
    const fit = step.action === 'crop' ? cropWithin(size, step.params) : step.params;
    if (!fit) continue;
    const next = { ...step, params: fit } as EditStep;
    size = computeSizeAfterStep(size, next);
    kept.push(next);
  }
  return kept;
}

function cropWithin(size: PixelSize, { x, y, width, height }: CropParams): CropParams | undefined {
  const [wide, high] = [Math.min(width, size.width - x), Math.min(height, size.height - y)];
  return wide < 1 || high < 1 ? undefined : { x, y, width: wide, height: high };
}

/** Converts a part of the picture (fractions from 0 to 1) to whole pixels within the picture. */
export function toPixelCrop(
  size: PixelSize,
  part: { x: number; y: number; width: number; height: number },
): CropParams {
  const x = Math.min(size.width - 1, Math.max(0, Math.round(part.x * size.width)));
  const y = Math.min(size.height - 1, Math.max(0, Math.round(part.y * size.height)));
  return {
    x,
    y,
    width: Math.max(1, Math.min(size.width - x, Math.round(part.width * size.width))),
    height: Math.max(1, Math.min(size.height - y, Math.round(part.height * size.height))),
  };
}

export function isWholePictureCrop(size: PixelSize, { x, y, width, height }: CropParams): boolean {
  return x === 0 && y === 0 && width === size.width && height === size.height;
}

/** Returns the value of a filter, or 0 without that filter. */
export function getFilterValue(steps: EditStep[], type: string): number {
  const step = steps.find((one) => isFilter(one, type)) as FilterStep | undefined;
  return step ? (step.params.value ?? 1) : 0;
}

/** Sets a filter, at its first position in the list. An undefined value removes the filter. */
export function setFilterStep(steps: EditStep[], type: string, value: number | undefined): EditStep[] {
  const at = steps.findIndex((one) => isFilter(one, type));
  if (value === undefined) return steps.filter((_, index) => index !== at);
  const step: EditStep = {
    action: 'filter',
    params: valuelessFilters.has(type) ? { type } : { type, value },
  };
  return at < 0 ? [...steps, step] : steps.with(at, step);
}

/** Names of filters without a value. */
const valuelessFilters = new Set(['grayscale', 'sepia', 'invert']);

function isFilter(step: EditStep, type: string): boolean {
  return step.action === 'filter' && step.params.type === type;
}

/** Returns the angle of the last step if that step straightens the picture, otherwise 0. */
export function getStraightenAngle(steps: EditStep[]): number {
  const last = steps.at(-1);
  return last?.action === 'straighten' ? last.params.angle : 0;
}

/** Sets the angle of the last step, or adds a step. An angle of 0 removes the step. */
export function setStraightenStep(steps: EditStep[], angle: number): EditStep[] {
  const before = steps.at(-1)?.action === 'straighten' ? steps.slice(0, -1) : steps;
  return angle === 0 ? before : [...before, { action: 'straighten', params: { angle } }];
}

/** Adds a rotation. Rotations that cancel each other leave no step. */
export function addTurnStep(steps: EditStep[], angle: 90 | 270): EditStep[] {
  const last = steps.at(-1);
  if (last?.action !== 'rotate') return [...steps, { action: 'rotate', params: { angle } }];
  const sum = (last.params.angle + angle) % 360;
  const before = steps.slice(0, -1);
  return sum === 0 ? before : [...before, { action: 'rotate', params: { angle: sum as 90 | 180 | 270 } }];
}

export function addFlipStep(steps: EditStep[], direction: 'h' | 'v'): EditStep[] {
  const last = steps.at(-1);
  if (last?.action === 'flip' && last.params.direction === direction) return steps.slice(0, -1);
  return [...steps, { action: 'flip', params: { direction } }];
}

export function addResizeStep(steps: EditStep[], params: { width: number } | { height: number }): EditStep[] {
  const before = steps.at(-1)?.action === 'resize' ? steps.slice(0, -1) : steps;
  return [...before, { action: 'resize', params }];
}
