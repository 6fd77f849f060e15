/**
 * Lists which test files run when, and on which database. An entry is a folder below `test/` with `/` at its
 * end, or a file without `.test.ts`. A file without an entry runs in `npm test`, on SQLite and a folder.
 */

/**
 * Tests of `npm run torture`: kills, power cuts, floods, long fuzzing, models, full accessibility matrices,
 * large galleries.
 */
export const torture = [
  'crash/upgrade-kill',
  'gallery/library/album-kill',
  'tools/transfer/killed',
  'torture/',
  'web/import-many',
  'web/large-text',
  'web/million',
];

/** Tests of `npm run test:all`: slow tests, and tests of parts that few changes touch. */
export const rest = [
  'contract/generated',
  'contract/privacy',
  'contract/spellings',
  'contract/visibility-model',
  'crash/aimed-kill',
  'crash/failing-disk',
  'crash/mail-kill',
  'crash/refused-by-system',
  'crash/reread-kill',
  'crash/stop',
  'gallery/accounts/disabled-many',
  'gallery/accounts/jumping-clock',
  'gallery/accounts/made-accounts',
  'gallery/accounts/oidc-bounds',
  'gallery/accounts/oidc-cures',
  'gallery/accounts/oidc-kinds',
  'gallery/accounts/oidc-link-settings',
  'gallery/accounts/oidc-links',
  'gallery/accounts/oidc-second-step',
  'gallery/accounts/oidc-trouble',
  'gallery/accounts/passkeys-limits',
  'gallery/admin/erase-again',
  'gallery/admin/key-rate-limit',
  'gallery/admin/site-back-end',
  'gallery/albums/archive-trouble',
  'gallery/albums/smart-bounds',
  'gallery/delivery/card',
  'gallery/delivery/s3-gallery',
  'gallery/delivery/sizes',
  'gallery/identity/attempts-actions',
  'gallery/identity/attempts-bounds',
  'gallery/identity/attempts-trouble',
  'gallery/library/library-model',
  'gallery/mail/command-line',
  'gallery/pages/link-preview',
  'gallery/pages/sitemap',
  'gallery/photos/corpus-bad',
  'gallery/photos/corrections',
  'gallery/photos/groups',
  'gallery/photos/indexes',
  'gallery/photos/place-names',
  'gallery/photos/query-everyday',
  'gallery/photos/query-relevance',
  'gallery/photos/query-typed',
  'gallery/photos/query-wide',
  'gallery/photos/reread',
  'gallery/shares/inner-albums',
  'gallery/shares/link-preview',
  'gallery/shares/programs',
  'gallery/site/access',
  'gallery/uploads/broken',
  'gallery/webhooks/processes',
  'gallery/webhooks/target',
  'operations/bench',
  'operations/bench-run',
  'operations/deploy-files',
  'operations/failover',
  'operations/first-run',
  'operations/listening',
  'operations/memory-limit',
  'operations/odd-file-systems',
  'operations/picture-workers',
  'operations/proxies',
  'operations/runner-faults',
  'operations/sharp-start',
  'operations/start',
  'operations/tour',
  'operations/two-galleries',
  'operations/wall',
  'platform/cluster/',
  'platform/connections/early-refusals',
  'platform/connections/nginx',
  'platform/connections/slow-readers',
  'platform/connections/slow-senders',
  'platform/db/fold',
  'platform/db/sqlite-held',
  'platform/db/upgrade-words',
  'platform/http/foreign-hosts',
  'platform/http/linear',
  'platform/imaging/clean',
  'platform/imaging/corpus-photos',
  'platform/imaging/declared-color',
  'platform/imaging/edits',
  'platform/imaging/fair-imaging',
  'platform/imaging/heic',
  'platform/imaging/heic-tiles',
  'platform/imaging/huge',
  'platform/imaging/missing-end',
  'platform/imaging/odd-samples',
  'platform/imaging/pool-attacks',
  'platform/imaging/render',
  'platform/storage/s3',
  'platform/storage/s3-faults',
  'platform/zip/reader',
  'platform/zip/zip64',
  'tools/check/check',
  'tools/check/objects',
  'tools/check/rows',
  'tools/exchange/export',
  'tools/exchange/import',
  'tools/exchange/import-sidecars',
  'tools/exchange/import-takeout',
  'tools/exchange/import-trouble',
  'tools/exchange/import-zip',
  'tools/exchange/plan-scale',
  'tools/exchange/take-along',
  'tools/exchange/xmp-export',
  'tools/maintenance/clock-jump',
  'tools/maintenance/deletion-lock',
  'tools/maintenance/wrong-database',
  'tools/transfer/backup',
  'tools/transfer/backup-load',
  'tools/transfer/hostile-archive',
  'tools/transfer/refusals',
  'tools/transfer/round-trip',
  'tools/transfer/wrong-database',
  'web/',
  'web/service-worker',
  'web/theme',
];

/**
 * Tests that run in `npm test` although their folder is listed above: two browser tests, and tests that
 * need no browser.
 */
export const fastAllTheSame = [
  'platform/cluster/transactions',
  'web/editor-steps',
  'web/limit',
  'web/scale',
  'web/wall',
  'web/return-path',
  'web/error-texts',
  'web/picture-size',
];

/**
 * Tests that run on PostgreSQL and S3 as well, in the tier of the file. A comment names what depends on the
 * database.
 */
export const alsoOnPostgres = [
  'gallery/photos/query-relevance', // This test depends on the texts of the search index.
  'gallery/shares/inner-albums',
  'gallery/shares/link-preview',
  'gallery/shares/programs',
  'gallery/site/access', // This test depends on how the database reads a setting inside prepared queries.
  'platform/db/lease',
  'platform/db/statistics',
  'platform/db/upgrade',
  'platform/db/upgrade-visibility',
  'platform/storage/storage',
  'tools/transfer/round-trip', // This test depends on column types.
];

/** Tests that run on PostgreSQL and S3 as well, but only in `npm run test:all`. */
export const laterOnPostgres = [
  'contract/generated', // This test depends on NUL characters and ranges of integers.
  'contract/held-requests',
  'contract/visibility-model', // This test depends on the SQL of every list.
  'gallery/accounts/accounts',
  'gallery/accounts/avatar',
  'gallery/accounts/capital-eszett', // This test depends on how the database folds letters.
  'gallery/accounts/invites',
  'gallery/accounts/passkeys',
  'gallery/accounts/passkeys-once',
  'gallery/accounts/recovery',
  'gallery/accounts/setup',
  'gallery/admin/delete-user', // This test depends on database locks.
  'gallery/admin/erase-again',
  'gallery/admin/key-rate-limit',
  'gallery/admin/site-back-end',
  'gallery/admin/leave',
  'gallery/admin/reports',
  'gallery/admin/stats', // This test depends on triggers of the audit log.
  'gallery/admin/users',
  'gallery/albums/references', // This test depends on the SQL of an album's list.
  'gallery/albums/smart',
  'gallery/albums/smart-bounds',
  'gallery/comments/comments',
  'gallery/delivery/size-rows',
  'gallery/identity/attempts-bounds', // This test depends on database locks between two processes.
  'gallery/library/disabled-photos',
  'gallery/library/library-model', // This test depends on the SQL of the library.
  'gallery/mail/mail', // This test depends on the mail outbox.
  'gallery/photos/around',
  'gallery/photos/batch',
  'gallery/photos/corrections',
  'gallery/photos/bounded-reads', // This test depends on time limits of statements.
  'gallery/photos/delete',
  'gallery/photos/edit-replace',
  'gallery/photos/groups',
  'gallery/photos/indexes',
  'gallery/photos/likes',
  'gallery/photos/query',
  'gallery/photos/query-words',
  'gallery/photos/reread',
  'gallery/photos/slow-reads',
  'gallery/photos/tags',
  'gallery/photos/trash',
  'gallery/photos/update',
  'gallery/photos/upload',
  'gallery/search/suggest',
  'gallery/shares/resumed', // This test depends on database locks.
  'gallery/shares/views',
  'gallery/uploads/broken',
  'gallery/uploads/uploads',
  'gallery/webhooks/delivery',
  'gallery/webhooks/webhooks',
  'platform/operations/health',
  'tools/check/rows',
  'tools/commands/no-gallery',
  'tools/maintenance/clock-jump', // This test depends on how the record of the time is stored.
  'tools/maintenance/deletion-lock', // This test depends on a copy of the database.
  'tools/maintenance/claim',
  'tools/maintenance/purge',
  'tools/maintenance/objects-without-row', // This test depends on advisory locks.
  'tools/transfer/backup', // This test depends on database snapshots.
  'tools/transfer/backup-load',
  'tools/transfer/old-archive',
  'tools/transfer/tables',
  'tools/transfer/wrong-database', // This test depends on a storage that two databases share.
  'tools/exchange/import-takeout', // This test depends on database locks of two processes.
  'gallery/albums/albums', // This test depends on how the database ends simultaneous moves that would form a cycle.
  'gallery/albums/levels', // This test depends on the search index and on SQL that narrows levels.
  'gallery/albums/photos', // This test depends on positions and database locks.
  'gallery/library/totals',
  'gallery/notifications/notifications',
  'gallery/photos/keyword', // This test depends on the search index.
  'gallery/photos/list-model', // This test depends on the sort order of the database.
  'gallery/photos/query-model',
  'gallery/photos/views', // This test depends on how counters are written.
  'gallery/users/',
  'contract/parallel', // This test depends on the connection pool for slow reads.
];

/** Tests that run on PostgreSQL and S3 only. */
export const onlyOnPostgres = [
  'gallery/webhooks/processes', // This test depends on SKIP LOCKED.
  'platform/cluster/',
  'platform/db/build-index',
  'platform/db/engines',
  'platform/db/fair-reads',
  'platform/db/partitions',
  'contract/races', // This test depends on serialization failures, retries and unique keys.
  'gallery/accounts/lock-order',
  'gallery/accounts/oidc-at-once', // This test depends on database locks.
  'gallery/admin/delete-busy', // This test depends on database locks.
  'gallery/library/status-race',
  'gallery/uploads/locks', // This test depends on locks between several servers.
  'contract/privacy', // This test depends on the SQL of every read.
];

/** Test files that start first, longest first: a long file that starts last delays the end of the run. */
export const longest = [
  'contract/privacy',
  'contract/generated',
  'crash/',
  'platform/cluster/',
  'platform/connections/slow-readers',
  'platform/storage/s3-faults',
  'web/',
];
