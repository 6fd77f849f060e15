/** Creates random edit steps, and computes the picture's size after them. */
import type { Random } from '../../test/support/random.ts';
import type { File, Step } from './ledger.ts';

interface Size {
  width: number;
  height: number;
}

/** Returns a random step that suits a picture of the given size. */
export function randomStep(random: Random, { width, height }: Size): Step {
  const steps: Step[] = [
    { action: 'rotate', params: { angle: random.pick([90, 180, 270]) } },
    { action: 'flip', params: { direction: random.pick(['h', 'v']) } },
    { action: 'filter', params: { type: 'invert' } },
  ];
  if (width > 100 && height > 100) {
    const part = { width: width - random.below(40), height: height - random.below(40) };
    steps.push({ action: 'crop', params: { x: 0, y: 0, ...part } });
  }
  if (width < 1000) steps.push({ action: 'resize', params: { width: width + random.below(90) } });
  return random.pick(steps);
}

export function sizeAfter(file: File, steps: Step[]): Size {
  return steps.reduce(after, { width: file.width, height: file.height });
}

function after({ width, height }: Size, { action, params }: Step): Size {
  if (action === 'rotate' && params.angle !== 180) return { width: height, height: width };
  if (action === 'crop') return { width: Number(params.width), height: Number(params.height) };
  if (action === 'resize') {
    const wide = Number(params.width);
    return { width: wide, height: Math.max(1, Math.round((height * wide) / width)) };
  }
  return { width, height };
}
