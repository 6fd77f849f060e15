import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { Ajv } from 'ajv';
import { EditStep } from '../../../server/platform/imaging/edits/actions.ts';
import { checkEditStep } from '../../../server/platform/imaging/edits/check.ts';
import { EditError } from '../../../server/platform/imaging/errors.ts';
import { corpusFile, withoutCorpus } from './corpus.ts';

const size = { width: 600, height: 400 };
const accepts = new Ajv({ discriminator: true, strict: false }).compile(EditStep);

const accepted: [step: EditStep, width: number, height: number][] = [
  [{ action: 'crop', params: { x: 0, y: 0, width: 600, height: 400 } }, 600, 400],
  [{ action: 'crop', params: { x: 599, y: 399, width: 1, height: 1 } }, 1, 1],
  [{ action: 'rotate', params: { angle: 90 } }, 400, 600],
  [{ action: 'rotate', params: { angle: 180 } }, 600, 400],
  [{ action: 'rotate', params: { angle: 270 } }, 400, 600],
  [{ action: 'flip', params: { direction: 'v' } }, 600, 400],
  [{ action: 'resize', params: { width: 300 } }, 300, 200],
  [{ action: 'resize', params: { height: 1 } }, 2, 1],
  [{ action: 'resize', params: { width: 10_000, height: 10_000 } }, 10_000, 10_000],
  [{ action: 'filter', params: { type: 'grayscale' } }, 600, 400],
  [{ action: 'filter', params: { type: 'sepia', value: 1e9 } }, 600, 400],
  [{ action: 'filter', params: { type: 'blur', value: 0.3 } }, 600, 400],
  [{ action: 'filter', params: { type: 'hue', value: -180 } }, 600, 400],
];

const refused: [step: { action: string; params?: unknown }, fields: string[]][] = [
  [{ action: 'crop', params: { x: -1, y: 0, width: 10, height: 10 } }, ['params.x']],
  [{ action: 'crop', params: { x: 0, y: 0, width: 601, height: 401 } }, ['params.width', 'params.height']],
  [{ action: 'crop', params: { x: 600, y: 400, width: 1, height: 1 } }, ['params.x', 'params.y']],
  [
    { action: 'crop', params: { x: 0.5, y: '0', height: 0 } },
    ['params.x', 'params.y', 'params.width', 'params.height'],
  ],
  [{ action: 'crop', params: { x: 0, y: 0, width: 1e9, height: Number.NaN } }, ['params.height']],
  [{ action: 'crop' }, ['params']],
  [{ action: 'crop', params: null }, ['params']],
  [{ action: 'rotate', params: { angle: 45 } }, ['params.angle']],
  [{ action: 'rotate', params: { angle: '90' } }, ['params.angle']],
  [{ action: 'flip', params: { direction: ['h'] } }, ['params.direction']],
  [{ action: 'resize', params: {} }, ['params.width', 'params.height']],
  [{ action: 'resize', params: { width: 16_384, height: -5 } }, ['params.width', 'params.height']],
  [{ action: 'resize', params: { width: 16_383, height: 16_383 } }, ['params.width', 'params.height']],
  [{ action: 'filter', params: { type: 'blur' } }, ['params.value']],
  [{ action: 'filter', params: { type: 'blur', value: 100.5 } }, ['params.value']],
  [{ action: 'filter', params: { type: 'brightness', value: '5' } }, ['params.value']],
  [{ action: 'filter', params: { type: '__proto__', value: 1 } }, ['params.type']],
  [{ action: 'filter', params: {} }, ['params.type']],
  [{ action: '__proto__', params: {} }, ['action']],
  [{ action: 'toString', params: {} }, ['action']],
];

suite('checkEditStep', () => {
  for (const [step, width, height] of accepted) {
    test(`takes ${JSON.stringify(step)}`, () => {
      assert.deepEqual(checkEditStep(size, step), { width, height });
      assert.ok(accepts(step), 'the schema takes it too');
    });
  }

  for (const [step, fields] of refused) {
    test(`names ${fields.join(', ')} of ${JSON.stringify(step)}`, () => {
      assert.deepEqual(findBadFields(size, step), fields.toSorted());
    });
  }

  test('names both sides when one asked for makes the other too long', () => {
    assert.deepEqual(
      findBadFields({ width: 10, height: 8000 }, { action: 'resize', params: { width: 100 } }),
      ['params.width'],
    );
  });

  test('counts all frames of an animation', () => {
    const size = { width: 1000, height: 1000, frames: 230 };
    assert.deepEqual(findBadFields(size, { action: 'rotate', params: { angle: 90 } }), ['action']);
    assert.deepEqual(checkEditStep(size, { action: 'resize', params: { width: 500 } }), {
      width: 500,
      height: 500,
    });
  });

  test('refuses every hostile step of the corpus', { skip: withoutCorpus }, () => {
    const { edit_actions } = JSON.parse(readFileSync(corpusFile('bad/payloads.json'), 'utf8'));
    for (const step of edit_actions)
      assert.notEqual(findBadFields(size, step).length, 0, JSON.stringify(step));
  });
});

function findBadFields(
  size: Parameters<typeof checkEditStep>[0],
  step: { action: string; params?: unknown },
): string[] {
  try {
    checkEditStep(size, { action: step.action, params: step.params });
  } catch (error) {
    assert.ok(error instanceof EditError, String(error));
    assert.ok(Object.values(error.errors).every((messages) => messages.length > 0));
    return Object.keys(error.errors).sort();
  }
  return assert.fail(`${JSON.stringify(step)} was taken`);
}
