/** What the document says before its operations. */

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
\`code: 0\`; everything else carries a code from the answers below, and a 400 names every bad field in \`errors\`, at
most fifty, fields inside others with dots: \`params.width\`, \`tags.0\`. What an operation does not name is ignored;
\`null\` in a body stands for "unset", and an empty parameter or form field counts as left out. A change is a PUT that
names what changes; there is no PATCH.

**Token.** Send what \`login\` or \`register\` returned, or an API key, as \`Authorization: Bearer <token>\`. Where a token is
optional, one also sees one's own private photos with it; a bad token is refused with 10006 there too.

**Limits.** Calls below \`/api\` are counted by the minute, for each user, or each address without a token. Where a limit
is set, the \`X-RateLimit-*\` headers say what is left; a 429 carries \`Retry-After\`.

**Times** are UTC, \`YYYY-MM-DD HH:MM:SS\`; only the bodies of webhooks have them as ISO 8601, as Standard Webhooks asks.

**Image paths** begin with \`/storage/\` and are relative to this server. Those of public photos stay as long as the image
does. Those of all other photos are signed for whom they were given to, and end after one to two hours: ask for the photo
or the list anew, and keep no such path.

**Caching.** Answers below \`/api\` depend on the token: \`Cache-Control\` and \`Vary\` say so. Images have an \`ETag\` and
\`Cache-Control\`.`;
