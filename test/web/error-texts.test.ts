/** Tests that errors of the API are shown in the language of the page. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errorCatalogue } from '../../server/platform/errors/catalogue.ts';
import { translateError } from '../../web/errors/error-texts.ts';
import { errorTexts } from '../../web/errors/zh-CN.ts';

describe('the texts for refusals', () => {
  test('Chinese error texts exist for every code of the API, and for no other', () => {
    const codes = new Set(Object.values(errorCatalogue).map(({ code }) => String(code)));
    assert.deepEqual(Object.keys(errorTexts.codes).sort(), [...codes].sort());
    for (const [code, text] of Object.entries(errorTexts.codes)) assert.match(text, /\p{Script=Han}/u, code);
    assert.equal(errorTexts.codes[errorCatalogue.wrongLogin.code], '用户名或密码错误');
  });

  test('error texts keep the numbers of fields, and unknown texts stay in English', () => {
    const fields = { username: ['Must have at least 3 characters', 'sings'], email: ['Is required'] };
    assert.deepEqual(translateError(errorTexts, 400, 'The request has invalid parameters', fields), [
      '填写的内容有误',
      { username: ['至少 3 个字符', 'sings'], email: ['必填'] },
    ]);
    assert.deepEqual(translateError(errorTexts, 99_999, 'New here', {}), ['New here', {}]);
  });

  test('the error text of a search names the position of the mistake in a form that the page reads', () => {
    const told = (reason: string) =>
      translateError(errorTexts, 400, '', {
        q: [`Cannot be read at character 3: ${reason}. Fields: tag, by`],
      })[1].q![0];
    const frame = (reason: string) => `Cannot be read at character 3: ${reason}. Fields: tag, by`;
    assert.equal(told('"foo" is not a field'), frame('没有“foo”这个字段'));
    assert.equal(told('"9" is not a value such as 800, >=800'), frame('“9”应为类似以下的值：800, >=800'));
    assert.equal(told('iso: needs a value directly after the colon'), frame('“iso:”后面需要紧跟内容'));
    assert.equal(told('the phrase that starts here has no closing "'), frame('这里的引号没有结束'));
    assert.equal(told('nested deeper than 8'), frame('括号嵌套超过 8 层'));
  });
});
