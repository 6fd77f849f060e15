/** The introduction of the OpenAPI document, before its operations. */

/** Tags of the OpenAPI document, in the order of their display. */
export const tags = [
  { name: 'Accounts', description: 'Register, log in and out; profile, password, avatar.' },
  { name: 'API keys', description: 'Named tokens for programs, with scopes and an expiry.' },
  {
    name: 'Passkeys',
    description: 'Sign in with a passkey of a phone, a password manager or a security key.',
  },
  { name: 'OpenID Connect', description: 'Sign in with an external provider, by redirects of the browser.' },
  { name: 'Photos', description: 'Upload, find, update, like and download photos.' },
  {
    name: 'Uploads',
    description: 'Resumable uploads by the tus 1.0 protocol, for large files and unreliable connections.',
  },
  {
    name: 'Trash',
    description: 'List and restore deleted photos for thirty days, or delete them permanently.',
  },
  {
    name: 'Edits',
    description: 'Crop, rotate, flip, resize and filter photos, with a history that can be reverted.',
  },
  { name: 'Albums', description: 'Nested groups of photos, which are shown or hidden together.' },
  { name: 'Comments', description: 'Comments on photos, with one level of replies.' },
  {
    name: 'Notifications',
    description: 'Notifications about likes, favorites, comments, replies and follows.',
  },
  { name: 'Reports', description: 'Report content to the admins.' },
  {
    name: 'Shares',
    description: 'Links and QR codes that show a photo or an album to anyone who has them.',
  },
  { name: 'People', description: 'Find users, view their profiles and follow them.' },
  { name: 'Webhooks', description: "Send events about a user's photos to other programs." },
  { name: 'Administration', description: 'Statistics, accounts, moderation and the audit log, for admins.' },
  { name: 'Site', description: 'Features and settings of the gallery that clients need.' },
  { name: 'Files', description: 'Image files, at the paths that the API returns.' },
  {
    name: 'Operations',
    description: 'Health, metrics and documentation, for operators. Responses do not use the envelope.',
  },
];

export const introduction = `A JSON API for an image gallery.

**Envelope.** Every JSON response below \`/api\` is \`{code, message?, data?, errors?}\`. A success is HTTP 200 with
\`code: 0\`. An error has one of the codes that the operation lists. An error 400 lists the invalid fields in \`errors\`, at
most fifty. Nested fields are named with dots: \`params.width\`, \`tags.0\`. Unknown fields and parameters are
ignored. \`null\` in a body means "unset", and an empty parameter or form field counts as left out. An update is a PUT
with the fields to change. PATCH is used only to send bytes of a resumable upload.

**Token.** Send the token that \`login\` or \`register\` returned, or an API key, as \`Authorization: Bearer <token>\`. If a
token is optional, the request with a token also has access to the caller's private photos. An invalid token is always
refused with 10006. Pages of the gallery itself can have their session in a cookie instead: \`"cookie": true\` at login
and register.

**Limits.** Requests below \`/api\` are counted per minute for each user, or for each address without a token. If a limit
is set, the \`X-RateLimit-*\` headers have the number of remaining requests. A response 429 has \`Retry-After\`.
Concurrent requests of a caller wait in a queue. An error 429 can also mean that a request waited too long behind others
of the same caller. An error 503 means that the service is busy, or that a part of the service is unavailable.

**Times** are UTC, \`YYYY-MM-DD HH:MM:SS\`. Only the bodies of webhooks use ISO 8601, as Standard Webhooks requires.

**Image paths** start with \`/storage/\` and are relative to this server. Paths of public photos are valid as long as the
image exists. Paths of all other photos are signed for the caller and expire after one to two hours. Request the photo
or the list again instead of storing a signed path. Pages that have their session in a cookie get plain paths, which
stay the same.

**Caching.** Responses below \`/api\` depend on the token, and have matching \`Cache-Control\` and \`Vary\` headers. Images
have an \`ETag\` and \`Cache-Control\`.`;
