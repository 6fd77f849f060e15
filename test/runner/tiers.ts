/**
 * Which test files run when, and on which database. An entry is a folder below `test/`, with `/` at its end, or a file
 * without its `.test.ts`. A file without an entry runs in `npm test`, on SQLite and a folder.
 */

/** `npm run torture`: kills, power cuts, floods, long fuzzing, models. */
export const torture = [
  'torture/',
  'crash/aimed-kill',
  'crash/exif-kill',
  'crash/mail-kill',
  'crash/upgrade-kill',
  'gallery/library/album-kill',
  'operations/failover',
  'tools/transfer/killed',
];

/** `npm run test:all`: slow, or far from what most changes touch. */
export const rest = [
  'crash/failing-disk',
  'crash/refused-by-system',
  'gallery/photos/corpus-bad',
  'operations/bench',
  'operations/bench-run',
  'operations/deploy-files',
  'operations/memory-limit',
  'operations/proxies',
  'operations/two-galleries',
  'operations/wall',
  'platform/cluster/',
  'platform/imaging/corpus-photos',
  'platform/zip/zip64',
  'web/',
];

/** These files of the folders above run in `npm test` all the same: eight journeys, and what needs no browser. */
export const fastAllTheSame = [
  'web/editor-steps',
  'web/first-run',
  'web/limit',
  'web/scale',
  'web/search',
  'web/select',
  'web/session',
  'web/share-pages',
  'web/upload',
  'web/viewer',
  'web/wall',
  'web/way-back',
  'web/words',
];

/** These run on PostgreSQL and S3 as well, in the tier of the file: the database decides what they assert. */
export const alsoOnPostgres = [
  'contract/privacy',
  'contract/races',
  'gallery/accounts/attempts-bounds',
  'gallery/accounts/lock-order',
  'gallery/accounts/oidc-at-once',
  'gallery/admin/delete-user',
  'gallery/admin/users',
  'gallery/albums/photos',
  'gallery/albums/smart',
  'gallery/library/',
  'gallery/photos/batch',
  'gallery/photos/bounded-reads',
  'gallery/photos/groups',
  'gallery/photos/keyword',
  'gallery/photos/list',
  'gallery/photos/list-model',
  'gallery/photos/query',
  'gallery/photos/query-model',
  'gallery/photos/slow-reads',
  'gallery/photos/tags',
  'gallery/photos/trash',
  'gallery/photos/update',
  'gallery/photos/upload',
  'gallery/photos/views',
  'gallery/uploads/turns',
  'gallery/users/',
  'gallery/webhooks/processes',
  'platform/db/lease',
  'platform/db/upgrade',
  'platform/storage/storage',
  'tools/check/',
  'tools/transfer/round-trip',
  'tools/upkeep/claim',
];

/** These run on PostgreSQL and S3 as well, but only in `npm run test:all`. */
export const laterOnPostgres = [
  'contract/generated',
  'contract/rights',
  'gallery/comments/',
  'gallery/notifications/',
];

/** These run on PostgreSQL and S3 alone. */
export const onlyOnPostgres = ['platform/cluster/', 'platform/db/fair-reads'];

/** Longest first: a long file that starts last holds up the end of the run. */
export const longest = ['contract/privacy', 'contract/generated', 'web/'];
