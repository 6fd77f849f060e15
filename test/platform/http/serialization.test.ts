/** A response contains only fields that its schema names, at every level. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TSchema, Type } from 'typebox';
import { createLazySerializer } from '../../../server/platform/http/serialization.ts';

const Item = Type.Object({ id: Type.Integer(), note: Type.Optional(Type.String()) });

function written(schema: TSchema, data: unknown): unknown {
  const serialize = createLazySerializer({ schema, method: 'GET', url: '/', httpStatus: '200' } as never);
  return JSON.parse(String(serialize(data)));
}

test('fields that the schema does not name are left out', () => {
  const schema = Type.Object({
    code: Type.Integer(),
    data: Type.Object({
      item: Item,
      maybe: Type.Union([Item, Type.Null()]),
      none: Type.Union([Item, Type.Null()]),
      list: Type.Array(Item),
      names: Type.Array(Type.String()),
      params: Type.Object({}, { additionalProperties: true }),
      errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    }),
  });
  const item = { id: 1, secret: 'x' };
  const data = {
    item,
    maybe: item,
    none: null,
    list: [item, { id: 2, note: 'ä"\u2028', secret: 'x' }],
    names: ['a'],
    params: { any: { thing: 1 } },
    errors: { field: ['Is invalid'] },
    secret: 'x',
  };
  assert.deepEqual(written(schema, { code: 0, data, secret: 'x' }), {
    code: 0,
    data: {
      item: { id: 1 },
      maybe: { id: 1 },
      none: null,
      list: [{ id: 1 }, { id: 2, note: 'ä"\u2028' }],
      names: ['a'],
      params: { any: { thing: 1 } },
      errors: { field: ['Is invalid'] },
    },
  });
});

test('the serializer writes the fields of the matching object of several', () => {
  const One = Type.Object({ type: Type.Literal('one'), item: Item });
  const Two = Type.Object({ type: Type.Literal('two'), other: Item });
  const item = { id: 1, secret: 'x' };
  for (const schema of [Type.Unsafe<object>({ type: 'object', oneOf: [One, Two] }), Type.Union([One, Two])]) {
    assert.deepEqual(written(schema, { type: 'two', other: item, item2: item }), {
      type: 'two',
      other: { id: 1 },
    });
    assert.throws(() => written(schema, { type: 'three', secret: 'x' }), /does not match schema/);
  }
});
