/**
 * Items of lists as JSON. What of an item changes with nothing but its photo's or its owner's version is kept:
 * for these photos a page is read without their texts, and written without making them anew. Whether a photo is in the
 * page, and what is counted, is asked of the database each time (docs/adr/0006).
 */
import { LRUCache } from 'lru-cache';
import { allowedBy, bytesAsText } from '../../../platform/http/serialization.ts';
import { previewPath, sizesPath, thumbPath } from '../../delivery/paths.ts';
import type { Signer } from '../../delivery/signatures.ts';
import { isPublic } from '../../library/permissions.ts';
import { type PhotoItemRow, presentItem } from '../present.ts';
import { PhotoItem } from '../schema.ts';
import { type BriefRow, isUsual, seenOf } from './columns.ts';

export type WholeRow = PhotoItemRow & Pick<BriefRow, 'version'>;
type Seen = ReturnType<typeof seenOf>;
type Reactions = Pick<Seen, 'is_liked' | 'is_favorited'>;
type Counted = Pick<BriefRow, 'views' | 'likes' | 'favorites' | 'comments'>;

/** Of texts, each character is a byte of UTF-8. */
interface KeptItem extends Pick<WholeRow, 'version' | 'image_key' | 'preview_extension'> {
  /** A comma, and all to before what is counted, with the paths as everybody may open them. */
  begin: string;
  /** In `begin`. */
  pathsAt: number;
  /** From after what is counted. */
  end: string;
  /** All of it as most see it, of these counts. */
  usual: string;
  counts: Counted;
}

/** Bytes of all: some ten thousand items. */
const maxKept = 12 * 1024 ** 2;
/** What an item takes beside its text. */
const itemSize = 600;

const paths = ['thumb', 'preview', 'image'];
const counted = ['views', 'likes', 'favorites', 'comments', 'is_liked', 'is_favorited'];

// The text has the paths and counts in the middle, whatever their order in the schema.
const middleNames = [...paths, ...counted];
const names = Object.keys(PhotoItem.properties);
const pathsAt = names.indexOf(paths[0]!);
const beginNames = names.slice(0, pathsAt).filter((name) => !middleNames.includes(name));
const endNames = names.slice(pathsAt).filter((name) => !middleNames.includes(name));

const pick = allowedBy<PhotoItem>(PhotoItem);
const usually: Reactions = { is_liked: 0, is_favorited: 0 };

export interface Items {
  /** The items of a page as texts of bytes; undefined where one of them is not kept. */
  write(rows: BriefRow[], signer: Signer | undefined): string[] | undefined;
  /** The same, from whole rows, of which are kept from now on what can be. */
  writeWhole(rows: WholeRow[], signer: Signer | undefined): string[];
}

export function createItems(): Items {
  const kept = new LRUCache<number, KeptItem>({
    maxSize: maxKept,
    sizeCalculation: ({ begin, end }) => 2 * (begin.length + end.length) + itemSize,
  });
  return {
    write(rows, signer) {
      const texts: string[] = [];
      for (const row of rows) {
        // Without noting its use: what is thrown away too early is kept again once a page with it was read whole.
        const item = kept.peek(row.id);
        if (item?.version !== row.version) return undefined;
        texts.push(isUsual(row) ? usualText(item, row) : textOf(item, row, seenOf(row), signer));
      }
      return withoutFirstComma(texts);
    },
    writeWhole(rows, signer) {
      const texts: string[] = [];
      for (const row of rows) {
        const item = keep(row);
        kept.set(row.id, item);
        texts.push(textOf(item, row, row, signer));
      }
      return withoutFirstComma(texts);
    },
  };
}

function withoutFirstComma([first, ...others]: string[]): string[] {
  return first === undefined ? [] : [first.slice(1), ...others];
}

function keep(row: WholeRow): KeptItem {
  const { version, image_key, preview_extension } = row;
  const item = pick(presentItem(row, undefined));
  // An object without its braces.
  const inner = (names: string[]) =>
    bytesAsText(
      JSON.stringify(Object.fromEntries(names.map((name) => [name, item[name as keyof PhotoItem]]))).slice(
        1,
        -1,
      ),
    );
  const [first, last] = [inner(beginNames), inner(endNames)];
  const beforePaths = first === '' ? ',{' : `,{${first},`;
  const parts = {
    begin: `${beforePaths}${inner(paths)},`,
    pathsAt: beforePaths.length,
    end: last === '' ? '}' : `,${last}}`,
  };
  return { version, image_key, preview_extension, ...parts, ...usualOf(parts, row) };
}

/** As it was made last; anew where anything was counted since. */
function usualText(item: KeptItem, row: Counted): string {
  if (!isSame(item.counts, row)) Object.assign(item, usualOf(item, row));
  return item.usual;
}

/** In one piece: one that V8 has of three is put into a page twice as slowly. */
function usualOf({ begin, end }: Pick<KeptItem, 'begin' | 'end'>, row: Counted) {
  const { views, likes, favorites, comments } = row;
  const bytes = Buffer.from(begin + countedText(row, usually) + end, 'latin1');
  return { usual: bytes.toString('latin1'), counts: { views, likes, favorites, comments } };
}

const isSame = (one: Counted, other: Counted) =>
  one.views === other.views &&
  one.likes === other.likes &&
  one.favorites === other.favorites &&
  one.comments === other.comments;

function textOf(item: KeptItem, row: Counted, seen: Seen, signer: Signer | undefined): string {
  const { begin, pathsAt, end } = item;
  const own =
    signer && !isPublic(seen) ? `${begin.slice(0, pathsAt)}${signedPaths(item, seen, signer)},` : begin;
  return own + countedText(row, seen) + end;
}

function countedText({ views, likes, favorites, comments }: Counted, seen: Reactions): string {
  const counts = `"views":${views},"likes":${likes},"favorites":${favorites},"comments":${comments}`;
  return `${counts},"is_liked":${seen.is_liked === 1},"is_favorited":${seen.is_favorited === 1}`;
}

function signedPaths(item: KeptItem, { visibility_now }: Seen, signer: Signer): string {
  const { image_key, preview_extension } = item;
  const image = { image_key, preview_extension, visibility_now };
  const text = (name: string, path: string) => `"${name}":${JSON.stringify(path)}`;
  const all = [thumbPath(image, signer), previewPath(image, signer), sizesPath(image, signer)];
  return bytesAsText(all.map((path, at) => text(paths[at]!, path)).join());
}
