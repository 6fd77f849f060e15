/** Reads the tables of a copy of iCloud Photos: `Photo Details.csv` and `Albums/<name>.csv`. */
import { parseCsv } from './csv.ts';
import {
  compareNames,
  foldName,
  getFileName,
  listFolders,
  type ReadSmallFile,
  type SourceFile,
  type SourceFolder,
} from './source-file.ts';

/** Facts of iCloud about a photo. */
export interface ICloudFacts {
  /** Unix seconds. */
  takenTime: number | undefined;
  isFavorite: boolean;
  isHidden: boolean;
  isDeleted: boolean;
}

export interface ICloudAlbum {
  name: string;
  /** Names of the photos, in the form of `foldName`, in the order of the album. */
  names: string[];
}

export interface ICloudTables {
  /** Facts by the folder and the name of a photo. */
  facts: Map<SourceFolder, Map<string, ICloudFacts>>;
  albums: ICloudAlbum[];
  /** Folders of photos, which are no albums. */
  photoFolders: Set<SourceFolder>;
  /** Tables that were read. */
  files: Set<SourceFile>;
  /** Tables of memories, which iCloud creates by itself. */
  memories: Set<SourceFile>;
}

const detailsName = /^photo details(?:[ -]*\d+)?\.csv$/i;

export async function readICloudTables(top: SourceFolder, read: ReadSmallFile): Promise<ICloudTables> {
  const tables: ICloudTables = {
    facts: new Map(),
    albums: [],
    photoFolders: new Set(),
    files: new Set(),
    memories: new Set(),
  };
  for (const folder of listFolders(top)) await readDetails(folder, read, tables);
  if (tables.photoFolders.size === 0) return tables;
  for (const folder of listFolders(top)) {
    if (/^(?:shared )?albums$/i.test(folder.name)) await readAlbums(folder, read, tables);
    if (/^memories$/i.test(folder.name)) for (const file of listTables(folder)) tables.memories.add(file);
  }
  return tables;
}

async function readDetails(folder: SourceFolder, read: ReadSmallFile, tables: ICloudTables): Promise<void> {
  for (const file of folder.files) {
    if (!detailsName.test(getFileName(file))) continue;
    const [head = [], ...rows] = parseCsv(await read(file));
    const columns = head.map((name) => name.trim().toLowerCase());
    if (!columns.includes('imgname')) continue;
    tables.files.add(file);
    tables.photoFolders.add(folder);
    const facts = tables.facts.get(folder) ?? new Map<string, ICloudFacts>();
    tables.facts.set(folder, facts);
    for (const row of rows) {
      const value = (column: string) => row[columns.indexOf(column)]?.trim() ?? '';
      if (value('imgname')) facts.set(foldName(value('imgname')), readFacts(value));
    }
  }
}

function readFacts(value: (column: string) => string): ICloudFacts {
  const isYes = (column: string) => value(column).toLowerCase() === 'yes';
  return {
    takenTime: parseICloudTime(value('originalcreationdate')),
    isFavorite: isYes('favorite'),
    isHidden: isYes('hidden'),
    isDeleted: isYes('deleted'),
  };
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** Matches `Saturday December 28,2019 6:53 PM GMT`. */
const written =
  /^(?:[a-z]+,? )?([a-z]{3})[a-z]* (\d{1,2}), ?(\d{4}) (\d{1,2}):(\d\d)(?::(\d\d))? ?([ap]m)? ?(?:gmt|utc)?$/i;

export function parseICloudTime(text: string): number | undefined {
  const match = written.exec(text.replace(/[\u202f\u00a0]/g, ' '));
  if (!match) return undefined;
  const [, month, day, year, hour, minute, second = '0', half] = match;
  const full = half ? (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour);
  const at = months.indexOf(month!.toLowerCase());
  const time = Date.UTC(Number(year), at, Number(day), full, Number(minute), Number(second));
  const isDay = at >= 0 && new Date(time).getUTCDate() === Number(day) && full < 24;
  return isDay ? time / 1000 : undefined;
}

async function readAlbums(folder: SourceFolder, read: ReadSmallFile, tables: ICloudTables): Promise<void> {
  for (const file of listTables(folder)) {
    const [head = [], ...rows] = parseCsv(await read(file));
    const named = head.findIndex((name) => /^(?:images|imgname|photos)$/i.test(name.trim()));
    if (named < 0) continue;
    tables.files.add(file);
    const names = rows.map((row) => foldName(row[named]?.trim() ?? '')).filter(Boolean);
    tables.albums.push({ name: getFileName(file).slice(0, -'.csv'.length), names: [...new Set(names)] });
  }
}

function* listTables(folder: SourceFolder): Generator<SourceFile> {
  for (const { files } of listFolders(folder)) {
    const sorted = files.toSorted((one, other) => compareNames(one.path, other.path));
    for (const file of sorted) if (/\.csv$/i.test(getFileName(file))) yield file;
  }
}
