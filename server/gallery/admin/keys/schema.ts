/** Schemas of the routes by which admins see API keys and set their rate limits. */
import { Type } from '../../../platform/schema/type.ts';
import { ApiKey } from '../../accounts/keys/schema.ts';

const rateLimit = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  maximum: 1_000_000_000,
  description:
    'Calls per minute with this key; 0: no limit; null: the calls count against the limit of the account (`RATE_LIMIT`)',
  examples: [6000],
});

export const AdminApiKey = Type.Object(
  { ...ApiKey.properties, rate_limit: rateLimit },
  { title: 'AdminApiKey' },
);

export const AdminApiKeyList = Type.Object({ list: Type.Array(AdminApiKey) }, { title: 'AdminApiKeyList' });

export const AdminApiKeyUpdate = Type.Object(
  { rate_limit: rateLimit },
  { title: 'AdminApiKeyUpdate', examples: [{ rate_limit: 6000 }] },
);
