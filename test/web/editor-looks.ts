import type { EditStep } from '../../server/platform/imaging/edits/actions.ts';

/** Lists of edit steps whose preview must equal the picture that the server renders. */
export const looks: Record<string, EditStep[]> = {
  'turns, flips and crops': [
    { action: 'rotate', params: { angle: 90 } },
    { action: 'crop', params: { x: 100, y: 150, width: 400, height: 500 } },
    { action: 'flip', params: { direction: 'h' } },
    { action: 'rotate', params: { angle: 270 } },
    { action: 'flip', params: { direction: 'v' } },
    { action: 'resize', params: { width: 250 } },
    { action: 'rotate', params: { angle: 180 } },
  ],
  'black and white': [{ action: 'filter', params: { type: 'grayscale' } }],
  'a warm print': [
    { action: 'filter', params: { type: 'sepia' } },
    { action: 'filter', params: { type: 'brightness', value: -20 } },
    { action: 'filter', params: { type: 'contrast', value: 30 } },
  ],
  'other colours': [
    { action: 'filter', params: { type: 'saturation', value: 60 } },
    { action: 'filter', params: { type: 'hue', value: 90 } },
    { action: 'filter', params: { type: 'invert' } },
  ],
  'an even horizon': [
    { action: 'straighten', params: { angle: -7.5 } },
    { action: 'rotate', params: { angle: 90 } },
    { action: 'straighten', params: { angle: 20 } },
  ],
  'open shadows in cold light': [
    { action: 'filter', params: { type: 'shadows', value: 80 } },
    { action: 'filter', params: { type: 'temperature', value: -60 } },
    { action: 'filter', params: { type: 'highlights', value: -90 } },
  ],
  'soft, then smaller': [
    { action: 'filter', params: { type: 'blur', value: 6 } },
    { action: 'resize', params: { height: 300 } },
  ],
  sharper: [{ action: 'filter', params: { type: 'sharpen', value: 1.5 } }],
};
