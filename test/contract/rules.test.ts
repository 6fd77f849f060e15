/**
 * Every text that a schema accepts reaches the schema's rule, also a text whose characters need two UTF-16
 * units.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createApp } from '../../server/app.ts';
import { ajv } from '../../server/platform/http/ajv.ts';
import { AlbumJson } from '../../server/tools/exchange/schema.ts';
import { assertRefused } from '../support/assert-answers.ts';
import { type Gallery, startGallery } from '../support/harness.ts';
import { asVisitor } from '../support/people.ts';

const emoji = '\u{1f600}';

interface RuledText {
  rule: unknown;
  maxLength: number;
}

describe('a rule', () => {
  let gallery: Gallery;

  before(async () => {
    gallery = await startGallery();
  });
  after(() => gallery?.close());

  test("a rule checks every text that the schema's maximum length allows", async () => {
    const ruled = findRuledTexts([...(await inputSchemas()), AlbumJson]);
    assert.ok(ruled.length >= 8, `${ruled.length} schemas`);
    for (const schema of ruled) {
      const { maxLength } = schema;
      const asked: string[] = [];
      const validate = ajv.compile({ ...schema, rule: (text: string) => void asked.push(text) });
      const [half, whole, more] = [maxLength / 2 + 1, maxLength, maxLength + 1].map((n) => emoji.repeat(n));
      for (const text of [half!, whole!, more!]) validate.call({} as never, text);
      assert.deepEqual(asked, [half, whole], JSON.stringify(schema));
    }
  });

  test('a rule refuses a query of three hundred emoji that cannot be parsed', async () => {
    const q = encodeURIComponent(`iso:${emoji.repeat(300)}`);
    for (const path of ['photos', 'timeline', 'facets']) {
      assertRefused(await asVisitor(gallery).get(`/api/${path}?q=${q}`), 400, 400, ['q']);
    }
  });

  async function inputSchemas(): Promise<unknown[]> {
    const schemas: unknown[] = [];
    const app = await createApp(gallery.deps, {
      async observe(app) {
        app.addHook('onRoute', ({ schema, config }) => {
          schemas.push(schema?.params, schema?.querystring, schema?.body, config?.form);
        });
      },
    });
    await app.close();
    return schemas;
  }
});

function findRuledTexts(schemas: unknown[]): RuledText[] {
  const seen = new Set<unknown>();
  const found: RuledText[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if ('rule' in value && 'maxLength' in value) found.push(value as RuledText);
    for (const inner of Object.values(value)) look(inner);
  };
  look(schemas);
  return found;
}
