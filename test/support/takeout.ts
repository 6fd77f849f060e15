/** Generates an archive of Google Takeout in five languages, with the quirks of its names, split over three ZIPs. */
import { createHostileZip, type HostileEntry } from './hostile-zip.ts';
import { createJpeg } from './pictures.ts';

interface Language {
  code: string;
  /** Name of the folder of a year. */
  year(year: number): string;
  /** End of the names of edited copies. */
  edited: string;
  /** Name of the file that describes an album. */
  metadata: string;
  album: string;
}

export const languages: Language[] = [
  {
    code: 'en',
    year: (year) => `Photos from ${year}`,
    edited: '-edited',
    metadata: 'metadata.json',
    album: 'Trip',
  },
  {
    code: 'de',
    year: (year) => `Fotos von ${year}`,
    edited: '-bearbeitet',
    metadata: 'Metadaten.json',
    album: 'Urlaub',
  },
  {
    code: 'fr',
    year: (year) => `Photos de ${year}`,
    edited: '-modifié',
    metadata: 'métadonnées.json',
    album: 'Été',
  },
  {
    code: 'it',
    year: (year) => `Foto del ${year}`,
    edited: '-modificato',
    metadata: 'metadati.json',
    album: 'Roma',
  },
  {
    code: 'zh',
    year: (year) => `${year} 年的照片`,
    edited: '-已修改',
    metadata: '元数据.json',
    album: '假期',
  },
];

export interface Takeout {
  /** Three ZIPs, in which many photos are apart from their JSON. */
  zips: Buffer[];
  files: string[];
  /** Titles of the photos by the name of their album, sorted. */
  albums: Map<string, string[]>;
  /** Titles of all photos outside the trash, sorted. */
  titles: string[];
  trashed: string[];
  favorites: string[];
  archived: string[];
  /** Films, which an import refuses. */
  refused: string[];
}

const root = 'Takeout/Google Photos';
/** Capture time of most photos: 2019-06-30 23:30 in UTC, and half past one of the next day in Rome. */
const summer = '1561937400';
export const summerInRome = '2019-07-01 01:30:00';
const rome = { latitude: 41.9, longitude: 12.5, altitude: 0 };

interface Draft extends Omit<Takeout, 'zips' | 'files'> {
  entries: HostileEntry[];
  pictures: number;
}

/** `copies` is the number of ordinary photos of each language besides those with a quirk. */
export async function createTakeout(copies = 1): Promise<Takeout> {
  const draft: Draft = {
    entries: [],
    albums: new Map(),
    titles: [],
    trashed: [],
    favorites: [],
    archived: [],
    refused: [],
    pictures: 0,
  };
  addFile(draft, 'Takeout/archive_browser.html', '<html></html>');
  addFile(draft, `${root}/print-subscriptions.json`, '{}');
  for (const language of languages) await addLanguage(draft, language, copies);
  const { entries, pictures, ...expected } = draft;
  for (const titles of expected.albums.values()) titles.sort();
  expected.titles.sort();
  // Photos are in another ZIP than the JSON after them.
  const zips = [0, 1, 2].map((part) => createHostileZip(entries.filter((_, index) => index % 3 === part)));
  return { zips, files: entries.map(({ name }) => name), ...expected };
}

async function addLanguage(draft: Draft, language: Language, copies: number): Promise<void> {
  const { code, year, edited, metadata, album } = language;
  const folder = `${root}/${year(2019)}`;
  const place = (title: string, more: object = {}) => describe(title, { geoData: rome, ...more });
  const addPhoto = async (name: string, json: string | undefined, told: string) => {
    const bytes = await createPicture(draft);
    addFile(draft, `${folder}/${name}`, bytes);
    if (json !== undefined) addFile(draft, `${folder}/${json}`, told);
    draft.titles.push(name.replace(/\.jpg$/, ''));
    return bytes;
  };

  for (let n = 0; n < copies; n++) {
    const name = `${code}_plain_${n}.jpg`;
    const bytes = await addPhoto(name, `${name}.supplemental-metadata.json`, place(name));
    addToAlbum(draft, album, name, bytes);
  }
  const two = await addPhoto(`${code}_two.jpg`, `${code}_two.jpg.suppl.json`, place(`${code}_two.jpg`));
  addToAlbum(draft, album, `${code}_two.jpg`, two);
  addToAlbum(draft, `${album} II`, `${code}_two.jpg`, two);
  addFile(
    draft,
    `${root}/${album}/${metadata}`,
    JSON.stringify({ title: album, description: `About ${album}` }),
  );

  const long = `${code}_${'long name '.repeat(5)}`.slice(0, 47);
  await addPhoto(`${long}.jpg`, `${long.slice(0, 46)}.json`, place(`${long} of a camera.jpg`));
  await addPhoto(`${code}_dup.jpg`, `${code}_dup.jpg.json`, place(`${code}_dup.jpg`));
  await addPhoto(`${code}_dup(1).jpg`, `${code}_dup.jpg(1).json`, place(`${code}_dup.jpg`));
  await addPhoto(`${code}_dup${edited}.jpg`, undefined, '');
  await addPhoto(`${code}_a_b_.jpg`, `${code}-x.json`, place(`${code}_a&b?.jpg`));
  await addPhoto(`${code}_live.jpg`, `${code}_live.jpg.s.json`, place(`${code}_live.jpg`));
  addFile(draft, `${folder}/${code}_live.MOV`, 'a film');
  addFile(draft, `${folder}/${code}_film.mp4`, 'a film');
  draft.refused.push(`${folder}/${code}_film.mp4`);

  const favorite = `${code}_favorite.jpg`;
  await addPhoto(favorite, `${favorite}.json`, place(favorite, { favorited: true }));
  draft.favorites.push(`${code}_favorite`);
  const archived = `${code}_archived.jpg`;
  await addPhoto(archived, `${archived}.json`, place(archived, { archived: true }));
  draft.archived.push(`${code}_archived`);
  const trashed = `${code}_trashed.jpg`;
  await addPhoto(trashed, `${trashed}.json`, place(trashed, { trashed: true }));
  draft.trashed.push(draft.titles.pop()!);
  const other = `${root}/${year(2018)}/${code}_other.jpg`;
  addFile(draft, other, await createPicture(draft));
  addFile(
    draft,
    `${other}.json`,
    describe(`${code}_other.jpg`, { photoTakenTime: { timestamp: '1530000000' } }),
  );
  draft.titles.push(`${code}_other`);
}

function describe(title: string, more: object): string {
  return JSON.stringify({
    title,
    description: `About ${title}`,
    photoTakenTime: { timestamp: summer },
    ...more,
  });
}

function addFile({ entries }: Draft, name: string, content: Buffer | string): void {
  entries.push({ name, content });
}

function addToAlbum(draft: Draft, album: string, name: string, content: Buffer): void {
  addFile(draft, `${root}/${album}/${name}`, content);
  draft.albums.set(album, [...(draft.albums.get(album) ?? []), name.replace(/\.jpg$/, '')]);
}

function createPicture(draft: Draft): Promise<Buffer> {
  const n = draft.pictures++;
  return createJpeg({ width: 40 + (n % 50), height: 40 + Math.floor(n / 50), colour: '#678' });
}
