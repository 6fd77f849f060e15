/** Recognizes the folders of Google Takeout that are no albums: years, days, the trash and the archive. */
import type { SourceFolder } from '../source-file.ts';

/** Names of year folders without the year, in the form of `readYearName`. */
const yearPhrases = new Set(
  [
    'photos from|fotos von|fotos aus|photos de|fotos de|fotos del|foto del|foto da|foto dal|foto di',
    "foto's uit|foto's van|fotos uit|fotos van|zdjecia z|zdjecia z roku|fotky z|fotky z roku|fotografie z|fotografie z roku",
    'foton fran|bilder fran|bilder fra|billeder fra|fotos fra|bilder von|bilder aus|kuvat vuodelta|kuvia vuodelta|kuvat ajalta',
    'fotografije iz|fotografije iz leta|fotografije iz godine|fotografii din|poze din|fotografii din anul',
    'fenykepei|fotok|es fotok|fenykepek|fotoattelus no|nuotraukos|m nuotraukos|pildid aastast|fotod aastast',
    'fotograflari|fotograflar|yili fotograflari|yilindaki fotograflar|yilina ait fotograflar',
    'фото за|фото за г|фотографии за|фотографии за год|фото за год|фотографии за г|фотографіі за|фото за рік|фотографіі за рік|снимки от|слике из|фотографије из',
    'φωτογραφιες από|φωτογραφιες απο|φωτογραφιες απο το|φωτογραφιες του',
    '年の写真|年的照片|年的相片|年照片|年相片|년 사진|년의 사진|년에 촬영한 사진|년도 사진',
    'תמונות מ|תמונות משנת|תמונות מ-|صور من|صور من عام|صور عام|रूपाए|की फोटो|के फोटो|से फोटो|รูปภาพจากปี|รูปภาพจาก|รูปภาพปี',
    'anh tu nam|anh tu|anh nam|foto dari|foto dari tahun|foto tahun|gambar dari|mga larawan mula|picha kuanzia|fotos del any',
  ]
    .join('|')
    .split('|'),
);

const specialNames = new Set(
  [
    'archive|archiv|archives|archivo|archivio|arquivo|archief|archiwum|arkiv|arkisto|архив|архів|アーカイブ|归档|封存|보관함|arşiv',
    'trash|bin|papierkorb|corbeille|papelera|cestino|lixeira|lixo|prullenbak|kosz|koš|papirkurv|papperskorg|roskakori',
    'корзина|кошик|ゴミ箱|回收站|垃圾桶|휴지통|çöp kutusu|kuka|coș de gunoi',
    'failed videos|locked folder|gesperrter ordner|dossier verrouillé|carpeta privada|cartella bloccata',
  ]
    .join('|')
    .split('|'),
);

const trashNames =
  /^(?:trash|bin|papierkorb|corbeille|papelera|cestino|lixeira|lixo|prullenbak|kosz|koš|papirkurv|papperskorg|roskakori|корзина|кошик|ゴミ箱|回收站|垃圾桶|휴지통|çöp kutusu)$/i;

export interface YearName {
  year: number;
  /** Name without the year, without accents and in lower case. */
  phrase: string;
}

/** Returns the year and the words of a name with one year, or undefined. */
export function readYearName(name: string): YearName | undefined {
  const years = name.match(/\d+/g) ?? [];
  const year = Number(years[0]);
  if (years.length !== 1 || !(year >= 1800 && year <= 2200)) return undefined;
  const phrase = simplifyText(name.replace(/\d+/, ' '));
  return phrase === '' ? undefined : { year, phrase };
}

function simplifyText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ł/g, 'l')
    .replace(/ı/g, 'i')
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim();
}

const knownPhrases = new Set([...yearPhrases].map(simplifyText));

export function hasYearPhrase(name: string): boolean {
  const found = readYearName(name);
  return found !== undefined && knownPhrases.has(found.phrase);
}

/** Returns whether a folder of Takeout is the archive, the trash or the like. */
export function isSpecialName(name: string): boolean {
  return specialNames.has(name.normalize('NFC').toLowerCase());
}

export function isTrashName(name: string): boolean {
  return trashNames.test(name.normalize('NFC'));
}

/** Old archives of Takeout have a folder for each day. */
export function isDayName(name: string): boolean {
  return /^\d{4}-\d\d-\d\d(?: ?#\d+)?$/.test(name);
}

/**
 * Returns whether a folder contains the folders of Google Photos: by its name inside `Takeout`, or by a year folder
 * inside.
 */
export function isTakeoutFolder({ name, parent, folders }: SourceFolder): boolean {
  if (parent && /^takeout$/i.test(parent.name) && /google/i.test(name)) return true;
  return [...folders.keys()].some(hasYearPhrase);
}
