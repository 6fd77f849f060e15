/** Archives with false claims are refused with little memory, and nothing is restored from them. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { bulkDatabase, openDatabase } from '../../../server/platform/db/index.ts';
import { migrationNames } from '../../../server/platform/db/migrate.ts';
import {
  type BackupHeader,
  backupArchivePaths,
  checksumLine,
} from '../../../server/tools/transfer/backup/format.ts';
import { createBackupWriter } from '../../../server/tools/transfer/backup/writer.ts';
import { TransferError } from '../../../server/tools/transfer/errors.ts';
import type { GalleryLocation } from '../../../server/tools/transfer/gallery-location.ts';
import { silentProgress } from '../../../server/tools/transfer/progress.ts';
import { restoreBackupArchive } from '../../../server/tools/transfer/restore/restore.ts';
import { copiedTables } from '../../../server/tools/transfer/tables.ts';
import { createScope, sqliteHome } from './gallery-locations.ts';

const gigabyte = 1024 ** 3;
const megabyte = 1024 ** 2;
/** Maximum memory growth, which covers one-megabyte reads and garbage on a loaded machine. */
const maxGrowth = 250 * megabyte;

const header: BackupHeader = {
  format: 'lightwell-backup',
  version: 1,
  id: '0'.repeat(32),
  created: '2026-11-21T00:00:00.000Z',
  migrations: migrationNames,
  tables: { users: ['id'] },
};
const manifest = {
  entries: 1,
  objects: 0,
  checksums: '',
  tables: {},
  highestIds: {},
  missing: [],
  damaged: [],
};
const good = entry(backupArchivePaths.header, Buffer.from(JSON.stringify(header)));

for (const [what, entries, claimed, message] of [
  ['header', [], backupArchivePaths.header, /lightwell\.json has 1073741824 bytes/],
  ['manifest', [good], backupArchivePaths.manifest, /manifest|checksums/],
  ['list of checksums', [good], 'checksums/000001.sha256', /checksums\/000001\.sha256 has 1073741824 bytes/],
  [
    'seal',
    [good, ...listed(), entry(backupArchivePaths.manifest, json(manifest))],
    backupArchivePaths.seal,
    /manifest\.sha256 has 1073741824/,
  ],
  [
    'manifest after its lists',
    [good, ...listed()],
    backupArchivePaths.manifest,
    /manifest\.json has 1073741824 bytes/,
  ],
] as const) {
  test(`a ${what} of a gigabyte is refused unread`, async (context) => {
    const { home, file } = await makePlace(context);
    const bytes = Buffer.concat([...entries, tarHeader(claimed, gigabyte)]);
    await writeFile(file, bytes);
    // Extends the file without using disk space.
    await truncate(file, bytes.length + gigabyte + 1024);
    await assertRefused(home, file, message);
  });
}

test('a row of hundreds of megabytes is refused, although its checksum is right', async (context) => {
  const { home, file } = await makePlace(context);
  const megabytes = 400;
  await write(
    file,
    await currentHeader(context),
    'rows/users/000001.ndjson',
    megabytes * megabyte,
    async function* () {
      for (let n = 0; n < megabytes; n++) yield Buffer.alloc(megabyte, ' ');
    },
  );
  await assertRefused(home, file, /a row in rows\/users\/000001\.ndjson is larger/);
});

for (const [what, text] of [
  ['no JSON', '[1,\n'],
  ['no row', '{"id": 1}\n'],
] as const) {
  test(`rows that are ${what} are damage, and no fault of the program`, async (context) => {
    const { home, file } = await makePlace(context);
    await write(
      file,
      await currentHeader(context),
      'rows/users/000001.ndjson',
      text.length,
      async function* () {
        yield Buffer.from(text);
      },
    );
    await assertRefused(home, file, /a line in rows\/users\/000001\.ndjson is not a row/);
  });
}

test('a header or a manifest of another shape is damage', async (context) => {
  const { home, file } = await makePlace(context);
  const { migrations: _, ...without } = header;
  await writeFile(file, entry(backupArchivePaths.header, json(without)));
  await assertRefused(home, file, /the header has an unknown structure/);
  const odd = json({ ...manifest, missing: 'all' });
  await writeFile(
    file,
    Buffer.concat([good, ...listed(), entry(backupArchivePaths.manifest, odd), createSeal(odd)]),
  );
  await assertRefused(home, file, /the manifest has an unknown structure/);
});

test('an archive from before the baseline is refused, and the commit that reads it is named', async (context) => {
  const { home, file } = await makePlace(context);
  const old = { ...header, migrations: ['0001_core', '0039_rendition_charges'] };
  await writeFile(file, entry(backupArchivePaths.header, json(old)));
  await assertRefused(home, file, /the archive has a schema that is too old .* commit 4f8d2cdb/);
});

test('an entry whose name is endless is refused', async (context) => {
  const { home, file } = await makePlace(context);
  const name = `files/${'x'.repeat(200_000)}`;
  const record = (length: number): string => {
    const text = `${length} path=${name}\n`;
    return text.length === length ? text : record(text.length);
  };
  const pax = entry('pax', Buffer.from(record(name.length)), 'x');
  await writeFile(file, Buffer.concat([good, pax, entry('short', Buffer.from('x')), Buffer.alloc(1024)]));
  await assertRefused(home, file, /the name of an entry is too long/);
});

for (const [what, type] of [
  ['folder', '5'],
  ['link', '2'],
]) {
  test(`a ${what} that says it has bytes is refused, and is not waited for`, async (context) => {
    const { home, file } = await makePlace(context);
    const odd = entry('files/a.jpg', Buffer.from('x'), type);
    await writeFile(file, Buffer.concat([good, odd, Buffer.alloc(1024)]));
    await assertRefused(home, file, /files\/a\.jpg is not a file/);
  });
}

async function makePlace(context: TestContext): Promise<{ home: GalleryLocation; file: string }> {
  const scope = createScope();
  context.after(() => scope.end());
  return { home: await sqliteHome(scope), file: join((await sqliteHome(scope)).dataDir, 'hostile.tar') };
}

/** Returns the header of an archive of the current gallery version. */
async function currentHeader(context: TestContext): Promise<BackupHeader> {
  const scope = createScope();
  context.after(() => scope.end());
  const { dataDir } = await sqliteHome(scope);
  await (await openDatabase({ dataDir, url: undefined, onError: assert.fail })).close();
  const reader = await (await bulkDatabase({ dataDir, url: undefined })).reader();
  const tables = copiedTables(await reader.tables());
  await reader.close();
  return { ...header, tables: Object.fromEntries(tables.map(({ name, columns }) => [name, columns])) };
}

async function assertRefused(home: GalleryLocation, file: string, message: RegExp): Promise<void> {
  const before = process.memoryUsage.rss();
  let max = before;
  const step = () => {
    max = Math.max(max, process.memoryUsage.rss());
  };
  await assert.rejects(restoreBackupArchive(file, home, { ...silentProgress, step }), (error: Error) => {
    assert.ok(error instanceof TransferError, String(error));
    assert.match(error.message, message);
    return true;
  });
  step();
  assert.ok(max - before < maxGrowth, `${Math.round((max - before) / megabyte)} MB more`);
  const left = await readdir(home.dataDir);
  if (!message.source.includes('rows')) assert.deepEqual(left, []);
}

/** Writes a complete archive with a header and one more entry. */
async function write(
  file: string,
  first: BackupHeader,
  path: string,
  size: number,
  bytes: () => AsyncIterable<Buffer>,
): Promise<void> {
  const archive = createBackupWriter(createWriteStream(file));
  await archive.addBuffer(backupArchivePaths.header, json(first));
  await archive.add(path, size, bytes());
  await archive.finish({ objects: 0, tables: {}, highestIds: {}, missing: [], damaged: [] });
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Returns the entry with the list of checksums, which follows the header. */
function listed(): Buffer[] {
  return [
    entry(
      'checksums/000001.sha256',
      Buffer.from(checksumLine(sha256(json(header)), backupArchivePaths.header)),
    ),
  ];
}

function createSeal(text: Buffer): Buffer {
  return entry(backupArchivePaths.seal, Buffer.from(checksumLine(sha256(text), backupArchivePaths.manifest)));
}

function sha256(bytes: Buffer): string {
  return hash('sha256', bytes);
}

function entry(name: string, bytes: Buffer, type = '0'): Buffer {
  const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512);
  return Buffer.concat([tarHeader(name, bytes.length, type), bytes, padding]);
}

/** Returns a ustar header with the given size, even if the contents have another size. */
function tarHeader(name: string, size: number, type = '0'): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write('0000600\0', 100);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
