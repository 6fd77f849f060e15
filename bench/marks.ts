/**
 * What marks in the orders of lists are worth on PostgreSQL, and what they cost: a place in a list of a million photos
 * with them and without, a view and a change of visibility with the triggers and without, folding, setting them.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { foldChanges } from '../server/gallery/library/fold-changes.ts';
import { groupedPhotos } from '../server/gallery/library/groups.ts';
import { beginGeneration, findUnmarked, setMarks, usualSizes } from '../server/gallery/library/marks.ts';
import type { Value } from '../server/platform/db/bulk.ts';
import { fold } from '../server/platform/db/fold.ts';
import { bulkDatabase, type Database, openDatabase } from '../server/platform/db/index.ts';
import { UserStatus, Visibility } from '../server/platform/db/states.ts';
import { openStorage } from '../server/platform/storage/open.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { report, runAlone } from './limits.ts';
import { median } from './measure.ts';
import { openDatabaseCpu } from './postgres-cpu.ts';
import { aroundLines } from './queries.ts';
import { cost, openOnPostgres, type ReadGallery } from './read-cost.ts';
import { unhurried } from './seed-people.ts';
import { createRandom, createTexts } from './words.ts';

const photos = Number(process.env.BENCH_PHOTOS ?? 1_000_000);
const start = 1_600_000_000;
const spanSeconds = 5 * 365 * 86_400;
const hash = 'IQcGBYBnd4h4iHh3eGh4cIeAC6uo';
const users = 1000;
const rounds = 5;
const views = 2000;
const hidden = 1000;

export async function benchMarks(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-marks-'));
  const postgres = await startPostgres();
  try {
    const dataDir = join(folder, 'storage');
    await fill(postgres.url, dataDir);
    await benchOn(postgres.url, dataDir);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true });
  }
}

/** Rows of photos as `seed.ts` makes them, and only what an unfiltered list asks: no texts, images and tags. */
export async function fill(url: string, dataDir: string): Promise<void> {
  console.log(`making a gallery of ${photos.toLocaleString('en')} photos …`);
  mkdirSync(dataDir, { recursive: true });
  await openStorage({ dataDir });
  const db = await openDatabase({ dataDir, url, limits: unhurried, onError: console.error });
  await sql`INSERT INTO users (username, username_key, email, email_key, password_hash, nickname, avatar, bio, gender,
      birthday, mobile, status, is_admin, used_bytes, create_time)
    SELECT 'user' || n, 'user' || n, 'user' || n || '@example.org', 'user' || n || '@example.org', '', '', '', '', 0,
      '', '', ${sql.lit(UserStatus.enabled)}, 0, 0, ${sql.lit(start)}
    FROM generate_series(1, ${sql.lit(users)}) AS n`.execute(db.kysely);
  await (await bulkDatabase({ dataDir, url })).load(async (loader) => {
    const random = createRandom(1);
    const text = createTexts(random);
    const few = () => Math.floor(random() ** 3 * 1000);
    let rows: Value[][] = [];
    for (let id = 1; id <= photos; id++) {
      const { title } = text();
      const visibility = random() < 0.2 ? Visibility.private : Visibility.public;
      const time = start + Math.floor((id * spanSeconds) / photos);
      const key = id.toString(16).padStart(32, '0');
      const row = {
        ...{
          id,
          user_id: 1 + Math.floor(random() * users),
          visibility,
          create_time: time,
          update_time: time,
          taken_time: time,
        },
        ...{ width: 4000, height: 3000, size: 4_000_000, views: few(), likes: few(), favorites: few() },
        ...{ downloads: few(), image_key: key, original_key: key, title, title_key: fold(title) },
        ...{ is_public: Number(visibility === Visibility.public), placeholder: hash, tags: '[]' },
        ...{ camera: '', aperture: '', shutter: '', iso: 100, file_name: 'photo.jpg', sha256: key },
        ...{ description: '', comments: 0, comment_threads: 0, album_position: 0 },
      };
      rows.push(Object.values(row));
      if (rows.length < 5000 && id < photos) continue;
      await loader.insert({ name: 'photos', columns: Object.keys(row) }, rows);
      rows = [];
    }
  });
  await sql`INSERT INTO photo_totals (user_id, visibility, n)
    SELECT user_id, visibility, count(*) FROM photos GROUP BY 1, 2
    UNION ALL SELECT 0, visibility, count(*) FROM photos GROUP BY 2`.execute(db.kysely);
  await sql`INSERT INTO photo_groups (user_id, visibility, kind, value, n, ratio)
    SELECT user_id, visibility, kind, value, n, ratio FROM (${groupedPhotos(db)}) AS counted`.execute(
    db.kysely,
  );
  await sql`VACUUM ANALYZE`.execute(db.kysely);
  await db.close();
}

export async function benchOn(url: string, dataDir: string): Promise<void> {
  const gallery = await openOnPostgres(url, dataDir);
  const db = await openDatabase({ dataDir, url, limits: unhurried, onError: console.error });
  const writer = await openWriter(url);
  console.log(`\nPostgreSQL, ${photos.toLocaleString('en')} photos: CPU`);
  await reportPlaces(gallery, 'without marks');
  await setAll(db, url);
  await writer.run('VACUUM ANALYZE');
  await reportPlaces(gallery, 'with marks', 25);
  await reportWrites(writer);
  await reportFolds(db, url, writer);
  for (const waiting of [1000, 2500]) {
    await foldAll(db);
    await writer.run(`UPDATE photos SET views = views + 1 WHERE id % ${Math.floor(photos / waiting)} = 0`);
    await reportPlaces(gallery, `with ${waiting} changes`, 25);
  }
  await writer.end();
  await db.close();
  await gallery.stop();
}

async function reportPlaces(gallery: ReadGallery, how: string, limit?: number): Promise<void> {
  for (const line of await aroundLines(gallery, ['views', 'title'])) {
    report(`${line.name}, ${how}`, await cost(gallery, line), 'ms', limit);
  }
}

async function setAll(db: Database, url: string): Promise<void> {
  await beginGeneration(db);
  const lists = await findUnmarked(db, usualSizes);
  const cpu = await openDatabaseCpu(url);
  const before = await cpu.cpuMs();
  let longest = 0;
  for (const list of lists) {
    const start = performance.now();
    await setMarks(db, list);
    longest = Math.max(longest, performance.now() - start);
  }
  report(`${lists.length} lists marked`, (await cpu.cpuMs()) - before, 'ms');
  report('the longest of their transactions took', longest, 'ms');
  await cpu.close();
}

async function foldAll(db: Database): Promise<void> {
  await beginGeneration(db);
  while ((await foldChanges({ db }, 2000)) > 0);
}

async function reportFolds(db: Database, url: string, writer: Writer): Promise<void> {
  const cpu = await openDatabaseCpu(url);
  await foldAll(db);
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await writer.run(
      `UPDATE photos SET views = views + 1 WHERE id % ${Math.floor(photos / 2000)} = ${round}`,
    );
    const before = await cpu.cpuMs();
    await foldAll(db);
    costs.push((await cpu.cpuMs()) - before);
  }
  report('2,000 changes folded', median(costs), 'ms');
  await cpu.close();
}

interface Writer {
  run(statement: string): Promise<void>;
  /** Of this connection's process, in milliseconds. */
  cpuMs(): number;
  end(): Promise<void>;
}

async function openWriter(url: string): Promise<Writer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  return {
    run: async (statement) => void (await client.query(statement)),
    cpuMs: () => Number(readFileSync(`/proc/${rows[0].pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    end: () => client.end(),
  };
}

/** In turn, so that both meet the same tables and the same machine. */
async function reportWrites(writer: Writer): Promise<void> {
  const costs = {
    with: { view: [] as number[], hide: [] as number[] },
    without: { view: [] as number[], hide: [] as number[] },
  };
  const first = Math.floor(photos / 2);
  for (let round = 0; round < 2 * rounds; round++) {
    const which = round % 2 ? 'with' : 'without';
    await writer.run(
      `ALTER TABLE photos ${which === 'with' ? 'ENABLE' : 'DISABLE'} TRIGGER photos_list_changed`,
    );
    const from = first + round * (views + hidden);
    const before = writer.cpuMs();
    for (let id = from; id < from + views; id++) {
      await writer.run(`UPDATE photos SET views = views + 1 WHERE id = ${id}`);
    }
    const between = writer.cpuMs();
    await writer.run(`UPDATE photos SET visibility = 3 - visibility
      WHERE id >= ${from + views} AND id < ${from + views + hidden} AND visibility > 0`);
    costs[which].view.push((between - before) / views);
    costs[which].hide.push(writer.cpuMs() - between);
  }
  for (const which of ['without', 'with'] as const) {
    report(`a view written, ${which} the trigger`, median(costs[which].view) * 1000, 'µs');
    report(`${hidden} rows hidden or shown, ${which} the trigger`, median(costs[which].hide), 'ms');
  }
}

if (import.meta.main) await runAlone(benchMarks);
