/** Rows of the rights table for administration. */
import { createJpeg } from '../../support/pictures.ts';
import type { Codes, Row } from './rights.ts';

const adminOnly: Codes = [401, 403, 403, 10006, 0];

export const adminRows: Row[] = [
  ...['stats', 'users', 'photos', 'comments', 'reports', 'logs', 'settings'].map((list) => ({
    endpoint: `GET /api/admin/${list}`,
    codes: adminOnly,
    ask: ((who) => who.get(`/api/admin/${list}`)) as Row['ask'],
  })),
  {
    endpoint: 'PUT /api/admin/settings',
    codes: adminOnly,
    ask: (who) => who.put('/api/admin/settings', { welcome: 'Welcome' }),
  },
  {
    endpoint: 'POST /api/admin/settings/logo',
    codes: adminOnly,
    ask: async (who) => {
      const body = new FormData();
      body.set('file', new Blob([new Uint8Array(await createJpeg())]), 'logo.jpg');
      return who.send('POST', '/api/admin/settings/logo', { body });
    },
  },
  {
    endpoint: 'DELETE /api/admin/settings/logo',
    codes: adminOnly,
    ask: (who) => who.delete('/api/admin/settings/logo'),
  },
  {
    endpoint: 'PUT /api/admin/users/{id}',
    codes: adminOnly,
    ask: (who, { owner }) => who.put(`/api/admin/users/${owner}`, { quota_mb: null }),
  },
  {
    endpoint: 'DELETE /api/admin/users/{id}',
    codes: adminOnly,
    ask: (who, { victim }) => who.delete(`/api/admin/users/${victim}`),
  },
  {
    endpoint: 'DELETE /api/admin/photos/{id}',
    codes: adminOnly,
    ask: (who, { photo }) => who.delete(`/api/admin/photos/${photo}`),
  },
  {
    endpoint: 'DELETE /api/admin/comments/{id}',
    codes: adminOnly,
    ask: (who, { comment }) => who.delete(`/api/admin/comments/${comment}`),
  },
  {
    endpoint: 'POST /api/admin/reports/{id}/handle',
    codes: adminOnly,
    ask: (who, { report }) => who.post(`/api/admin/reports/${report}/handle`, { action: 'dismiss' }),
  },
];
