/**
 * Tests responses about a picture from a worker under an attacker's control, and the values that the server
 * accepts.
 */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readWorkerAnswer } from '../../../server/platform/imaging/pool/answers.ts';
import type { WorkerEnded } from '../../../server/platform/imaging/pool/worker-ended.ts';

const inspected = { width: 40, height: 30, frames: 1, hasAlpha: false, orientation: 1 };
const exif = {
  camera: 'NIKON D70',
  aperture: '',
  shutter: '',
  iso: 0,
  placeNames: '',
  takenTime: null,
  timeOffset: null,
  lens: '',
  focalLength: 0,
  location: null,
  title: 'Ridge',
  description: 'First line\nsecond line',
  tags: ['alps'],
  rating: 0,
};
const picture = { format: 'webp', width: 40, height: 30 };
const expected = { format: 'png', pixels: 1200, frames: 1 } as const;
const honest = { inspected, exif, thumb: picture, preview: picture, placeholder: 'abcd' };

const read = (answer: object) => readWorkerAnswer<'upload'>('upload', { id: '', answer }, expected);

suite('the answer to an upload', () => {
  test('believes the values that a worker may report', () => {
    assert.deepEqual(read(honest), honest);
  });

  const lies: Record<string, object> = {
    'another type than the file has': { inspected: { ...inspected, mime: 'text/html' } },
    'a name for the file': { inspected: { ...inspected, extension: '/../../server.js' } },
    'more pixels than the file has': { inspected: { ...inspected, width: 1_000_000 } },
    'more frames than the file has': { inspected: { ...inspected, frames: 2 } },
    'a size that no database holds': { thumb: { ...picture, width: 1e15 } },
    'a time that no calendar has': { exif: { ...exif, takenTime: 1e15 } },
    'text that databases refuse': { exif: { ...exif, camera: 'a\0b' } },
    'a title with a control character': { exif: { ...exif, title: 'a\u001bb' } },
    'more tags than it may report': { exif: { ...exif, tags: Array(101).fill('a') } },
    'half a character': { exif: { ...exif, lens: '\ud800' } },
    'more than it was asked': { full: picture, isAdmin: true },
  };
  for (const [what, lie] of Object.entries(lies)) {
    test(`does not believe ${what}`, () => {
      assert.throws(
        () => read({ ...honest, ...lie }),
        (error: WorkerEnded) => error.why === 'crash',
      );
    });
  }
});
