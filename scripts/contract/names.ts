/** How clients call each operation (its operationId), in the order of the document. Names stay once published. */
export const operationNames: Record<string, string> = {
  'POST /api/auth/register': 'register',
  'POST /api/auth/login': 'login',
  'POST /api/auth/logout': 'logout',
  'GET /api/auth/user': 'getCurrentUser',
  'PUT /api/auth/profile': 'updateProfile',
  'PUT /api/auth/password': 'changePassword',
  'POST /api/auth/avatar': 'uploadAvatar',
  'GET /api/auth/sessions': 'listSessions',
  'DELETE /api/auth/sessions/{id}': 'endSession',
  'GET /api/auth/tokens': 'listApiKeys',
  'POST /api/auth/tokens': 'createApiKey',
  'DELETE /api/auth/tokens/{id}': 'deleteApiKey',

  'POST /api/photos/upload': 'uploadPhoto',
  'GET /api/photos': 'listPhotos',
  'GET /api/photos/{id}': 'getPhoto',
  'POST /api/photos/batch': 'batchPhotos',
  'GET /api/tags': 'listTags',
  'PUT /api/photos/{id}': 'updatePhoto',
  'DELETE /api/photos/{id}': 'deletePhoto',
  'POST /api/photos/{id}/like': 'likePhoto',
  'POST /api/photos/{id}/favorite': 'favoritePhoto',
  'GET /api/photos/{id}/download': 'downloadPhoto',

  'GET /api/trash': 'listTrash',
  'POST /api/photos/{id}/restore': 'restorePhoto',
  'DELETE /api/trash/{id}': 'purgePhoto',

  'POST /api/photos/{id}/edit': 'editPhoto',
  'GET /api/photos/{id}/edits': 'listEdits',
  'POST /api/photos/{id}/revert': 'revertPhoto',

  'GET /api/albums': 'listAlbums',
  'POST /api/albums': 'createAlbum',
  'GET /api/albums/{id}': 'getAlbum',
  'PUT /api/albums/{id}': 'updateAlbum',
  'DELETE /api/albums/{id}': 'deleteAlbum',
  'GET /api/albums/{id}/photos': 'listAlbumPhotos',
  'POST /api/albums/{id}/photos': 'addAlbumPhotos',
  'DELETE /api/albums/{id}/photos': 'removeAlbumPhotos',
  'PUT /api/albums/{id}/order': 'orderAlbum',
  'GET /api/albums/{id}/download': 'downloadAlbum',

  'GET /api/photos/{id}/comments': 'listComments',
  'POST /api/photos/{id}/comments': 'addComment',
  'GET /api/comments/{id}/replies': 'listReplies',
  'PUT /api/comments/{id}': 'updateComment',
  'DELETE /api/comments/{id}': 'deleteComment',
  'POST /api/comments/{id}/like': 'likeComment',

  'GET /api/notifications': 'listNotifications',
  'POST /api/notifications/read': 'readNotifications',
  'POST /api/reports': 'report',

  'POST /api/photos/{id}/share': 'sharePhoto',
  'POST /api/albums/{id}/share': 'shareAlbum',
  'GET /api/shares': 'listShares',
  'GET /api/shares/{token}': 'getShare',
  'GET /api/shares/{token}/download': 'downloadSharedAlbum',
  'POST /api/shares/{token}/unlock': 'unlockShare',
  'DELETE /api/shares/{id}': 'revokeShare',
  'GET /s/{token}': 'getSharePage',
  'POST /s/{token}': 'unlockSharePage',

  'GET /api/users': 'listUsers',
  'GET /api/users/{id}': 'getUser',
  'GET /api/users/{id}/photos': 'listUserPhotos',
  'GET /api/users/{id}/albums': 'listUserAlbums',
  'GET /api/users/{id}/followers': 'listFollowers',
  'GET /api/users/{id}/following': 'listFollowing',
  'GET /api/users/{id}/favorites': 'listFavorites',
  'POST /api/users/{id}/follow': 'followUser',
  'GET /api/feed': 'getFeed',

  'GET /api/webhooks': 'listWebhooks',
  'POST /api/webhooks': 'createWebhook',
  'GET /api/webhooks/{id}': 'getWebhook',
  'PUT /api/webhooks/{id}': 'updateWebhook',
  'DELETE /api/webhooks/{id}': 'deleteWebhook',
  'POST /api/webhooks/{id}/test': 'testWebhook',
  'GET /api/webhooks/{id}/deliveries': 'listDeliveries',
  'POST /api/webhooks/{id}/deliveries/{delivery_id}/redeliver': 'redeliver',

  'GET /api/admin/stats': 'getStats',
  'GET /api/admin/users': 'adminListUsers',
  'PUT /api/admin/users/{id}': 'adminUpdateUser',
  'DELETE /api/admin/users/{id}': 'adminDeleteUser',
  'GET /api/admin/photos': 'adminListPhotos',
  'DELETE /api/admin/photos/{id}': 'adminDeletePhoto',
  'GET /api/admin/comments': 'adminListComments',
  'DELETE /api/admin/comments/{id}': 'adminDeleteComment',
  'GET /api/admin/reports': 'adminListReports',
  'POST /api/admin/reports/{id}/handle': 'adminHandleReport',
  'GET /api/admin/logs': 'listLogs',

  'GET /storage/{name}': 'getImage',

  'GET /health': 'getHealth',
  'GET /health/live': 'getLiveness',
  'GET /health/ready': 'getReadiness',
  'GET /metrics': 'getMetrics',
  'GET /openapi.json': 'getContract',
  'GET /docs': 'getDocumentation',
};

/** In the order in which the document shows them. */
export const tags = [
  { name: 'Accounts', description: 'Sign up, in and out; the profile, the password, the avatar.' },
  { name: 'API keys', description: 'Named tokens for programs, with scopes and an expiry.' },
  { name: 'Photos', description: 'Upload, find, change, like and download photos.' },
  { name: 'Trash', description: 'Deleted photos, kept for thirty days: see them, restore them, end them.' },
  { name: 'Edits', description: 'Crop, rotate, flip, resize and filter, with a history to go back in.' },
  { name: 'Albums', description: 'Photos in a nested order, shown or hidden together.' },
  { name: 'Comments', description: 'What people say about a photo, with one level of replies.' },
  { name: 'Notifications', description: 'Likes, favorites, comments, replies and follows.' },
  { name: 'Reports', description: 'Tell the admins about what should not be here.' },
  { name: 'Shares', description: 'Links and QR codes that show a photo to whoever holds them.' },
  { name: 'People', description: 'Find people, see their pages, follow them.' },
  { name: 'Webhooks', description: "Tell other programs what happens to one's photos." },
  { name: 'Administration', description: 'For admins: figures, accounts, moderation, the audit log.' },
  { name: 'Files', description: 'The bytes of images, by the paths that the API hands out.' },
  { name: 'Operations', description: 'For those who run the service. Not in the envelope.' },
];

export const introduction = `A JSON API for an image gallery.

**Envelope.** Every JSON answer below \`/api\` is \`{code, message?, data?, errors?}\`. A success is HTTP 200 with
\`code: 0\`; everything else carries a code from the lists below, and a 400 names every bad field in \`errors\`.

**Token.** Send what \`login\` or \`register\` returned as \`Authorization: Bearer <token>\`. Where a token is
optional, one also sees one's own private photos with it; a bad token is refused with 10006 there too.

**Limits.** Calls below \`/api\` are counted by the minute, for each user, or each address without a token. The
\`X-RateLimit-*\` headers say what is left; a 429 carries \`Retry-After\`.

**Times** are UTC, \`YYYY-MM-DD HH:MM:SS\`. **Image paths** begin with \`/storage/\` and are relative to this server.`;
