/** Schemas for requests and responses of the API key routes. */

import type { Static } from 'typebox';
import {
  choiceField,
  lineField,
  nullableField,
  timeField,
  timeOrEmptyField,
} from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';

const scopes = Type.Array(choiceField(['read', 'write']), {
  minItems: 1,
  maxItems: 2,
  uniqueItems: true,
  description: 'Permissions of the key. A key without `write` can only read (GET)',
});

export const NewApiKey = Type.Object(
  {
    name: Type.String({ ...lineField(50, 'Purpose of the key'), minLength: 1 }),
    scopes: Type.Optional(nullableField(scopes)),
    expires: Type.Optional(
      nullableField(
        Type.Integer({
          minimum: 1,
          maximum: 3650,
          description: 'Days until the key expires; left out or null: never',
        }),
      ),
    ),
  },
  { title: 'NewApiKey', examples: [{ name: 'Photo frame in the hall', scopes: ['read'], expires: 365 }] },
);
export type NewApiKey = Static<typeof NewApiKey>;

const key = {
  id: Type.Integer(),
  name: Type.String({ examples: ['Photo frame in the hall'] }),
  scopes,
  create_time: timeField(),
  last_used_time: timeOrEmptyField(
    'Last use of the key, accurate to 15 minutes',
    'if the key was never used',
  ),
  expire_time: timeOrEmptyField('When the key expires', 'if the key never expires'),
};

export const ApiKey = Type.Object(key, { title: 'ApiKey' });
export const ApiKeyList = Type.Object({ list: Type.Array(ApiKey) }, { title: 'ApiKeyList' });
export const CreatedApiKey = Type.Object(
  {
    ...key,
    token: Type.String({
      description: 'The key itself, shown only once. Send it as `Authorization: Bearer <token>`',
    }),
  },
  { title: 'CreatedApiKey' },
);
