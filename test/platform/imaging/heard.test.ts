/** A decoder that fails without a word is asked once more: another picture that failed may have taken its words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heard } from '../../../server/platform/imaging/errors.ts';

/** Fails with each of these texts in turn, then succeeds. */
function failing(...texts: string[]) {
  let calls = 0;
  const work = async () => {
    const text = texts[calls++];
    if (text !== undefined) throw new Error(text);
    return 'done';
  };
  return { work, calls: () => calls };
}

test('without a word it is tried again, and may succeed', async () => {
  const silences = [
    'Unknown error',
    'Warning treated as error due to failOn setting',
    'Input file has corrupt header:',
    'Input buffer has corrupt header: ',
  ];
  for (const silence of silences) {
    const { work, calls } = failing(silence);
    assert.equal(await heard(work), 'done', silence);
    assert.equal(calls(), 2);
  }
});

test('a file that is damaged is so the second time, and what it says then is told', async () => {
  const twice = failing('Unknown error', 'Unknown error', 'never reached');
  await assert.rejects(heard(twice.work), { message: 'Unknown error' });
  assert.equal(twice.calls(), 2);
  const later = failing('Unknown error', 'VipsJpeg: out of order');
  await assert.rejects(heard(later.work), { message: 'VipsJpeg: out of order' });
});

test('whoever says what is wrong is believed', async () => {
  const { work, calls } = failing('Input file has corrupt header: webp: unable to parse image');
  await assert.rejects(heard(work), { message: /unable to parse/ });
  assert.equal(calls(), 1);
});
