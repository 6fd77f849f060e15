/** What the API refuses is told in the language of the page. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { catalogue } from '../../server/platform/errors/catalogue.ts';
import { wordsFor } from '../../web/errors/words.ts';
import { words } from '../../web/errors/zh-CN.ts';

describe('the words for refusals', () => {
  test('every code that the API has is told in Chinese, and no other', () => {
    const codes = new Set(Object.values(catalogue).map(({ code }) => String(code)));
    assert.deepEqual(Object.keys(words.codes).sort(), [...codes].sort());
    for (const [code, text] of Object.entries(words.codes)) assert.match(text, /\p{Script=Han}/u, code);
    assert.equal(words.codes[catalogue.wrongLogin.code], '用户名或密码错误');
  });

  test('fields keep their numbers; what is not known stays in English', () => {
    const fields = { username: ['must have at least 3 characters', 'sings'], email: ['is required'] };
    assert.deepEqual(wordsFor(words, 400, 'Invalid parameters', fields), [
      '填写的内容有误',
      { username: ['至少 3 个字符', 'sings'], email: ['必填'] },
    ]);
    assert.deepEqual(wordsFor(words, 99_999, 'New here', {}), ['New here', {}]);
  });
});
