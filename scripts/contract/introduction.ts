/** The introduction of the OpenAPI document, before its operations. */

/** Tags of the OpenAPI document, in the order of their display. */
export const tags = [
  { name: 'Accounts', description: 'Register, log in and out; profile, password, avatar.' },
  { name: 'API keys', description: 'Named tokens for programs, with scopes and an expiry.' },
  {
    name: 'Passkeys',
    description: 'Sign in with what a telephone, a password manager or a security key keeps.',
  },
  { name: 'OpenID Connect', description: 'Sign in elsewhere: for browsers, which go there and come back.' },
  { name: 'Photos', description: 'Upload, find, change, like and download photos.' },
  {
    name: 'Uploads',
    description: 'Resumable uploads, by the protocol tus 1.0: for large files and connections that break.',
  },
  {
    name: 'Trash',
    description: 'Deleted photos, kept for thirty days: list, restore or delete them permanently.',
  },
  {
    name: 'Edits',
    description: 'Crop, rotate, flip, resize and filter, with a history that can be reverted.',
  },
  { name: 'Albums', description: 'Nested groups of photos, shown or hidden together.' },
  { name: 'Comments', description: 'Comments on photos, with one level of replies.' },
  { name: 'Notifications', description: 'Likes, favorites, comments, replies and follows.' },
  { name: 'Reports', description: 'Report content to the admins.' },
  {
    name: 'Shares',
    description: 'Links and QR codes that show a photo or an album to everybody who has them.',
  },
  { name: 'People', description: 'Find users, see their pages, follow them.' },
  { name: 'Webhooks', description: "Send events about a user's photos to other programs." },
  { name: 'Administration', description: 'For admins: figures, accounts, moderation, the audit log.' },
  { name: 'Site', description: 'What the gallery offers, for clients that do not know it yet.' },
  { name: 'Files', description: 'Image files, by the paths that the API returns.' },
  { name: 'Operations', description: 'For operators. Answers are not in the envelope.' },
];

export const introduction = `A JSON API for an image gallery.

**Envelope.** Every JSON answer below \`/api\` is \`{code, message?, data?, errors?}\`. A success is HTTP 200 with
\`code: 0\`; everything else carries a code from the answers below, and a 400 names every bad field in \`errors\`, at
most fifty, fields inside others with dots: \`params.width\`, \`tags.0\`. Unknown fields and parameters are
ignored; \`null\` in a body means "unset", and an empty parameter or form field counts as left out. An update is a PUT
with the fields to change; PATCH only sends bytes of a resumable upload.

**Token.** Send what \`login\` or \`register\` returned, or an API key, as \`Authorization: Bearer <token>\`. Where a token is
optional, it also gives access to the caller's private photos; a bad token is refused with 10006 there, too. A page of
the gallery itself may have its session in a cookie instead: \`"cookie": true\` at login and register.

**Limits.** Calls below \`/api\` are counted per minute, for each user, or for each address without a token. Where a limit
is set, the \`X-RateLimit-*\` headers tell the remaining calls; a 429 carries \`Retry-After\`.
Requests that a caller sends at once wait for their turn: 429 also means that one waited in vain behind others of the
same caller, 503 that the service is busy or a part of it is away.

**Times** are UTC, \`YYYY-MM-DD HH:MM:SS\`; only the bodies of webhooks have them as ISO 8601, as Standard Webhooks asks.

**Image paths** begin with \`/storage/\` and are relative to this server. Those of public photos are valid as long as the
image exists. Those of all other photos are signed for the caller and expire after one to two hours: request the photo
or the list again instead of storing such a path. To a page that has its session in a cookie, all paths are plain and
stay the same.

**Caching.** Answers below \`/api\` depend on the token: \`Cache-Control\` and \`Vary\` say so. Images have an \`ETag\` and
\`Cache-Control\`.`;
