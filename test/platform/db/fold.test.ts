import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldText } from '../../../server/platform/db/fold.ts';

test('every character folds to the same as its lower and upper case, and folding again changes nothing', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const folded = foldText(character);
    const isSame =
      foldText(character.toLowerCase()) === folded &&
      foldText(character.toUpperCase()) === folded &&
      foldText(folded) === folded;
    if (!isSame) wrong.push(code.toString(16));
  }
  assert.deepEqual(wrong, []);
  assert.equal(foldText('GROẞE'), foldText('große'));
  assert.equal(foldText('GROẞE'), 'grosse');
});
