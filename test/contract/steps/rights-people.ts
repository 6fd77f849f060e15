/** Rows of the rights table for albums, people, comments, trash, sessions and keys. */
import { type Codes, ownerOnly, type Row, readers, signedIn } from './rights.ts';

const privatePhoto: Codes = [20004, 20004, 0, 10006, 0];
const privateAlbum: Codes = [30002, 30002, 0, 10006, 0];
const albumOwner: Codes = [401, 30002, 0, 10006, 0];
/** Codes of requests about an album that need its owner: an admin is refused like every other member. */
const albumOwnerAlone: Codes = [401, 30002, 0, 10006, 30002];
const author: Codes = [401, 40002, 0, 10006, 0];
/** Codes for rows that only their owner can see by id. For everyone else the row does not exist. */
const oneself: Codes = [401, 404, 0, 10006, 404];
/**
 * Codes of requests without required fields: a role that passes the guard gets the error for the missing
 * fields.
 */
const fieldsMissed: Codes = [401, 400, 400, 10006, 400];
const nobodys: Codes = [404, 404, 404, 404, 404];
/** Codes of passkey requests. The test gallery has an IP address as its host, which cannot have passkeys. */
const everybodyMissed: Codes = [400, 400, 400, 400, 400];
const trash: Codes = [401, 20003, 0, 10006, 0];

export const peopleRows: Row[] = [
  { endpoint: 'GET /api/auth/sessions', codes: signedIn, ask: (who) => who.get('/api/auth/sessions') },
  {
    endpoint: 'DELETE /api/auth/sessions/{id}',
    codes: oneself,
    ask: (who, { session }) => who.delete(`/api/auth/sessions/${session}`),
  },
  { endpoint: 'GET /api/auth/tokens', codes: signedIn, ask: (who) => who.get('/api/auth/tokens') },
  {
    endpoint: 'POST /api/auth/tokens',
    codes: signedIn,
    ask: (who) => who.post('/api/auth/tokens', { name: 'made here' }),
  },
  {
    endpoint: 'DELETE /api/auth/tokens/{id}',
    codes: oneself,
    ask: (who, { key }) => who.delete(`/api/auth/tokens/${key}`),
  },
  // No OpenID provider is configured in the test gallery.
  { endpoint: 'GET /api/auth/oidc', codes: nobodys, ask: (who) => who.get('/api/auth/oidc') },
  {
    endpoint: 'GET /api/auth/oidc/callback',
    codes: nobodys,
    ask: (who) => who.get('/api/auth/oidc/callback'),
  },
  { endpoint: 'GET /api/auth/oidc/link', codes: signedIn, ask: (who) => who.get('/api/auth/oidc/link') },
  {
    endpoint: 'POST /api/auth/oidc/link',
    codes: fieldsMissed,
    ask: (who) => who.post('/api/auth/oidc/link', {}),
  },
  {
    endpoint: 'DELETE /api/auth/oidc/link',
    codes: fieldsMissed,
    ask: (who) =>
      who.send('DELETE', '/api/auth/oidc/link', {
        body: '{}',
        headers: { 'content-type': 'application/json' },
      }),
  },
  { endpoint: 'GET /api/auth/passkeys', codes: signedIn, ask: (who) => who.get('/api/auth/passkeys') },
  {
    endpoint: 'POST /api/auth/passkeys/options',
    codes: fieldsMissed,
    ask: (who) => who.post('/api/auth/passkeys/options', {}),
  },
  {
    endpoint: 'POST /api/auth/passkeys',
    codes: fieldsMissed,
    ask: (who) => who.post('/api/auth/passkeys', {}),
  },
  {
    endpoint: 'PUT /api/auth/passkeys/{id}',
    codes: oneself,
    ask: (who, { passkey }) => who.put(`/api/auth/passkeys/${passkey}`, { name: 'renamed' }),
  },
  {
    endpoint: 'DELETE /api/auth/passkeys/{id}',
    codes: oneself,
    ask: (who, { passkey }) => who.delete(`/api/auth/passkeys/${passkey}`),
  },
  {
    endpoint: 'POST /api/auth/login/passkey/options',
    codes: everybodyMissed,
    ask: (who) => who.post('/api/auth/login/passkey/options'),
  },
  {
    endpoint: 'POST /api/auth/login/passkey',
    codes: everybodyMissed,
    ask: (who) => who.post('/api/auth/login/passkey', {}),
  },
  {
    endpoint: 'POST /api/photos/batch',
    codes: signedIn,
    ask: (who, { photo }) => who.post('/api/photos/batch', { ids: [photo], action: 'tag', tags: ['seen'] }),
  },
  { endpoint: 'GET /api/tags', codes: readers, ask: (who) => who.get('/api/tags') },
  { endpoint: 'GET /api/trash', codes: signedIn, ask: (who) => who.get('/api/trash') },
  {
    endpoint: 'GET /api/trash/{id}',
    codes: [401, 20003, 0, 10006, 20003],
    ask: (who, { trashed }) => who.get(`/api/trash/${trashed}`),
  },
  {
    endpoint: 'POST /api/photos/{id}/restore',
    codes: trash,
    ask: (who, { trashed }) => who.post(`/api/photos/${trashed}/restore`),
  },
  {
    endpoint: 'DELETE /api/trash/{id}',
    codes: trash,
    ask: (who, { trashed }) => who.delete(`/api/trash/${trashed}`),
  },
  { endpoint: 'GET /api/albums', codes: readers, ask: (who) => who.get('/api/albums') },
  {
    endpoint: 'POST /api/albums',
    codes: signedIn,
    ask: (who) => who.post('/api/albums', { name: 'An album' }),
  },
  ...['', '/photos', '/download'].map((part) => ({
    endpoint: `GET /api/albums/{id}${part}`,
    codes: readers,
    privateCodes: privateAlbum,
    ask: ((who, { album }) => who.get(`/api/albums/${album}${part}`)) as Row['ask'],
  })),
  {
    endpoint: 'PUT /api/albums/{id}',
    codes: albumOwner,
    ask: (who, { album }) => who.put(`/api/albums/${album}`, { name: 'Renamed' }),
  },
  ...([{ visibility: 'public' }, { is_public: 1 }] as const).map((level) => ({
    endpoint: 'PUT /api/albums/{id}',
    detail: JSON.stringify(level),
    codes: albumOwner,
    membersCodes: albumOwnerAlone,
    privateCodes: albumOwnerAlone,
    ask: ((who, { album }) => who.put(`/api/albums/${album}`, level)) as Row['ask'],
  })),
  {
    endpoint: 'PUT /api/albums/{id}',
    detail: JSON.stringify({ visibility: 'members' }),
    codes: albumOwner,
    privateCodes: albumOwnerAlone,
    ask: (who, { album }) => who.put(`/api/albums/${album}`, { visibility: 'members' }),
  },
  {
    endpoint: 'PUT /api/albums/{id}',
    detail: JSON.stringify({ visibility: 'private' }),
    codes: albumOwner,
    ask: (who, { album }) => who.put(`/api/albums/${album}`, { visibility: 'private' }),
  },
  {
    endpoint: 'DELETE /api/albums/{id}',
    codes: albumOwner,
    ask: (who, { album }) => who.delete(`/api/albums/${album}`),
  },
  ...(['POST', 'DELETE'] as const).map((method) => ({
    endpoint: `${method} /api/albums/{id}/photos`,
    codes: albumOwner,
    ask: ((who, { album, photo }) =>
      who.send(method, `/api/albums/${album}/photos`, {
        body: JSON.stringify({ ids: [photo] }),
        headers: { 'content-type': 'application/json' },
      })) as Row['ask'],
  })),
  {
    endpoint: 'PUT /api/albums/{id}/order',
    codes: albumOwner,
    ask: (who, { album, photo }) => who.put(`/api/albums/${album}/order`, { ids: [photo] }),
  },
  {
    endpoint: 'POST /api/albums/{id}/share',
    codes: albumOwner,
    membersCodes: albumOwnerAlone,
    privateCodes: albumOwnerAlone,
    ask: (who, { album }) => who.post(`/api/albums/${album}/share`, { type: 'link' }),
  },
  {
    endpoint: 'GET /api/photos/{id}/comments',
    codes: readers,
    privateCodes: privatePhoto,
    ask: (who, { photo }) => who.get(`/api/photos/${photo}/comments`),
  },
  {
    endpoint: 'POST /api/photos/{id}/comments',
    codes: signedIn,
    privateCodes: ownerOnly,
    ask: (who, { photo }) => who.post(`/api/photos/${photo}/comments`, { content: 'Well seen' }),
  },
  {
    endpoint: 'GET /api/comments/{id}/replies',
    codes: readers,
    privateCodes: [40002, 40002, 0, 10006, 0],
    ask: (who, { comment }) => who.get(`/api/comments/${comment}/replies`),
  },
  {
    endpoint: 'PUT /api/comments/{id}',
    codes: author,
    ask: (who, { comment }) => who.put(`/api/comments/${comment}`, { content: 'Rather' }),
  },
  {
    endpoint: 'DELETE /api/comments/{id}',
    codes: author,
    ask: (who, { comment }) => who.delete(`/api/comments/${comment}`),
  },
  {
    endpoint: 'POST /api/comments/{id}/like',
    codes: signedIn,
    privateCodes: author,
    ask: (who, { comment }) => who.post(`/api/comments/${comment}/like`),
  },
  { endpoint: 'GET /api/users', codes: readers, ask: (who) => who.get('/api/users') },
  ...['', '/photos', '/albums', '/followers', '/following'].map((part) => ({
    endpoint: `GET /api/users/{id}${part}`,
    codes: readers,
    ask: ((who, { owner }) => who.get(`/api/users/${owner}${part}`)) as Row['ask'],
  })),
  {
    endpoint: 'GET /api/users/{id}/favorites',
    codes: [401, 403, 0, 10006, 0],
    ask: (who, { owner }) => who.get(`/api/users/${owner}/favorites`),
  },
  {
    endpoint: 'POST /api/users/{id}/follow',
    codes: [401, 0, 50002, 10006, 0],
    ask: (who, { owner }) => who.post(`/api/users/${owner}/follow`),
  },
  { endpoint: 'GET /api/feed', codes: signedIn, ask: (who) => who.get('/api/feed') },
  { endpoint: 'GET /api/notifications', codes: signedIn, ask: (who) => who.get('/api/notifications') },
  {
    endpoint: 'POST /api/notifications/read',
    codes: signedIn,
    ask: (who) => who.post('/api/notifications/read', { all: true }),
  },
  {
    endpoint: 'POST /api/reports',
    codes: signedIn,
    privateCodes: ownerOnly,
    ask: (who, { photo }) =>
      who.post('/api/reports', { target_type: 'photo', target_id: photo, reason: 'spam' }),
  },
];
