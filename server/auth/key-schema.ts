/** Inputs and outputs of the API key endpoints. */
import { type Static, Type } from 'typebox';
import { textField } from '../http/schema.ts';

const scopes = Type.Array(Type.Unsafe<'read' | 'write'>({ type: 'string', enum: ['read', 'write'] }), {
  minItems: 1,
  maxItems: 2,
  uniqueItems: true,
  description: 'A key without `write` may only read (GET)',
});

export const MakeKey = Type.Object(
  {
    name: Type.String({ ...textField(50, 'What the key is for'), minLength: 1 }),
    scopes: Type.Optional(scopes),
    expires: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, description: 'Days; left out: never' })),
  },
  { examples: [{ name: 'Photo frame in the hall', scopes: ['read'], expires: 365 }] },
);
export type MakeKey = Static<typeof MakeKey>;

const key = {
  id: Type.Integer(),
  name: Type.String(),
  scopes,
  create_time: Type.String(),
  last_used_time: Type.String({ description: '"" when never used; kept to the quarter of an hour' }),
  expire_time: Type.String({ description: '"" when it does not expire' }),
};

export const Key = Type.Object(key);
export const KeyList = Type.Object({ list: Type.Array(Key) });
export const MadeKey = Type.Object({
  ...key,
  token: Type.String({
    description: 'The key itself, shown this once. Send it as `Authorization: Bearer <token>`',
  }),
});
