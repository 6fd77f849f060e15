/** Rows of the rights table: administration. */
import type { Codes, Row } from './rights.ts';

const adminOnly: Codes = [401, 403, 403, 10006, 0];

export const adminRows: Row[] = [
  ...['stats', 'users', 'logs'].map((list) => ({
    endpoint: `GET /api/admin/${list}`,
    codes: adminOnly,
    ask: ((who) => who.get(`/api/admin/${list}`)) as Row['ask'],
  })),
  {
    endpoint: 'PUT /api/admin/users/{id}',
    codes: adminOnly,
    ask: (who, { owner }) => who.put(`/api/admin/users/${owner}`, { quota_mb: null }),
  },
];
