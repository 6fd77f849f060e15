/**
 * Items of lists as JSON. What of an item changes with nothing but its photo's or its owner's version is kept as bytes:
 * for these photos a page is read without their texts, and written without making them anew. Whether a photo is in the
 * page, and what is counted, is asked of the database each time (docs/adr/0006).
 */
import { LRUCache } from 'lru-cache';
import { allowedBy, type Piece } from '../../../platform/http/serialization.ts';
import { previewPath, sizesPath, thumbPath } from '../../delivery/paths.ts';
import type { Signer } from '../../delivery/signatures.ts';
import { isPublic } from '../../library/permissions.ts';
import { type PhotoItemRow, presentItem } from '../present.ts';
import { PhotoItem } from '../schema.ts';
import { type BriefRow, seenOf } from './columns.ts';

export type WholeRow = PhotoItemRow & Pick<BriefRow, 'version'>;
type Seen = ReturnType<typeof seenOf>;
type Counted = Pick<BriefRow, 'views' | 'likes' | 'favorites' | 'comments'>;

interface KeptItem extends Pick<WholeRow, 'version' | 'image_key' | 'preview_extension'> {
  /** A comma, and all to before what is counted, with the paths as everybody may open them. */
  begin: Uint8Array;
  /** In `begin`. */
  pathsAt: number;
  /** From after what is counted. */
  end: Uint8Array;
}

/** Bytes of all: some ten thousand items. */
const maxKept = 12 * 1024 ** 2;
/** What an item takes beside its text. */
const itemSize = 600;

const paths = ['thumb', 'preview', 'image'];
const counted = ['views', 'likes', 'favorites', 'comments', 'is_liked', 'is_favorited'];

const names = Object.keys(PhotoItem.properties);
const pathsAt = names.indexOf(paths[0]!);
const expected = [...paths, ...counted].join();
// The text is put together in this order.
if (names.slice(pathsAt, pathsAt + paths.length + counted.length).join() !== expected)
  throw new Error(`the schema of an item has its fields in another order than ${expected}`);
const beginNames = names.slice(0, pathsAt);
const endNames = names.slice(pathsAt + paths.length + counted.length);

const pick = allowedBy<PhotoItem>(PhotoItem);
// Each text has memory of its own: of what Buffer.from shares out, the smallest piece would keep all.
const utf8 = new TextEncoder();

export interface Items {
  /** The items of a page as JSON; undefined where one of them is not kept. */
  write(rows: BriefRow[], signer: Signer | undefined): Piece[] | undefined;
  /** The same, from whole rows, of which are kept from now on what can be. */
  writeWhole(rows: WholeRow[], signer: Signer | undefined): Piece[];
}

export function createItems(): Items {
  const kept = new LRUCache<number, KeptItem>({
    maxSize: maxKept,
    sizeCalculation: ({ begin, end }) => begin.length + end.length + itemSize,
  });
  return {
    write(rows, signer) {
      const pieces: Piece[] = [];
      for (const row of rows) {
        // Without noting its use: what is thrown away too early is kept again once a page with it was read whole.
        const item = kept.peek(row.id);
        if (item?.version !== row.version) return undefined;
        add(pieces, item, row, seenOf(row), signer);
      }
      return pieces;
    },
    writeWhole(rows, signer) {
      const pieces: Piece[] = [];
      for (const row of rows) {
        const item = keep(row);
        kept.set(row.id, item);
        add(pieces, item, row, row, signer);
      }
      return pieces;
    },
  };
}

function keep(row: WholeRow): KeptItem {
  const { version, image_key, preview_extension } = row;
  const item = pick(presentItem(row, undefined));
  // An object without its braces: there are fields before and after.
  const inner = (names: string[]) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, item[name as keyof PhotoItem]]))).slice(
      1,
      -1,
    );
  const begin = `,{${inner(beginNames)},`;
  return {
    ...{ version, image_key, preview_extension },
    begin: utf8.encode(`${begin}${inner(paths)},`),
    pathsAt: Buffer.byteLength(begin),
    end: utf8.encode(`,${inner(endNames)}}`),
  };
}

function add(
  pieces: Piece[],
  item: KeptItem,
  { views, likes, favorites, comments }: Counted,
  seen: Seen,
  signer: Signer | undefined,
): void {
  const { begin, pathsAt, end } = item;
  const from = pieces.length === 0 ? 1 : 0;
  if (signer && !isPublic(seen))
    pieces.push(begin.subarray(from, pathsAt), `${signedPaths(item, seen, signer)},`);
  else pieces.push(from === 0 ? begin : begin.subarray(from));
  const counts = `"views":${views},"likes":${likes},"favorites":${favorites},"comments":${comments}`;
  const reactions = `"is_liked":${seen.is_liked === 1},"is_favorited":${seen.is_favorited === 1}`;
  pieces.push(`${counts},${reactions}`, end);
}

function signedPaths(item: KeptItem, { visibility_now }: Seen, signer: Signer): string {
  const { image_key, preview_extension } = item;
  const image = { image_key, preview_extension, visibility_now };
  const text = (name: string, path: string) => `"${name}":${JSON.stringify(path)}`;
  const all = [thumbPath(image, signer), previewPath(image, signer), sizesPath(image, signer)];
  return all.map((path, at) => text(paths[at]!, path)).join();
}
