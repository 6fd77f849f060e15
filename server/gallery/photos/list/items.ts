/**
 * Items of lists as JSON. What of an item changes with nothing but its photo's or its owner's version is kept as text:
 * for these photos a page is read without their texts, and written without making them anew. Whether a photo is in the
 * page, and what is counted, is asked of the database each time (docs/adr/0006).
 */
import { LRUCache } from 'lru-cache';
import { allowedBy } from '../../../platform/http/serialization.ts';
import { previewPath, sizesPath, thumbPath } from '../../delivery/paths.ts';
import type { Signer } from '../../delivery/signatures.ts';
import { isPublic } from '../../library/permissions.ts';
import { type PhotoItemRow, presentItem } from '../present.ts';
import { PhotoItem } from '../schema.ts';

interface Versions {
  item_version: number;
  owner_version: number;
}

/** What is never kept. */
export type BriefRow = Versions &
  Pick<PhotoItemRow, 'id' | 'views' | 'likes' | 'favorites' | 'comments'> &
  Pick<PhotoItemRow, 'visibility_now' | 'is_liked' | 'is_favorited'> & {
    /** How many photos the list's branches have; null for none, and where there is none. */
    first_total: number | null;
    second_total: number | null;
  };

export type WholeRow = PhotoItemRow & Versions;
type ItemRow = Omit<BriefRow, 'first_total' | 'second_total'>;

interface KeptItem extends Versions, Pick<PhotoItemRow, 'image_key' | 'preview_extension'> {
  /** From its begin to before its paths. */
  begin: string;
  /** The same with the paths as everybody may open them. */
  beginPlain: string;
  /** From after what is counted to its end. */
  end: string;
}

/** In characters, of which each takes two bytes where one of a text is not Latin: some ten thousand items. */
const maxKept = 12 * 1024 ** 2;
/** Of what an item has beside its texts. */
const itemSize = 200;

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

export interface Items {
  /** The items of a page as JSON; undefined where one of them is not kept. */
  write(rows: BriefRow[], signer: Signer | undefined): string | undefined;
  /** The same, from whole rows, of which are kept from now on what can be. */
  writeWhole(rows: WholeRow[], signer: Signer | undefined): string;
}

export function createItems(): Items {
  const kept = new LRUCache<number, KeptItem>({
    maxSize: maxKept,
    sizeCalculation: ({ begin, beginPlain, end }) => begin.length + beginPlain.length + end.length + itemSize,
  });
  return {
    write(rows, signer) {
      const texts: string[] = [];
      for (const row of rows) {
        // Without noting its use: what is thrown away too early is kept again once a page with it was read whole.
        const item = kept.peek(row.id);
        if (item?.item_version !== row.item_version || item.owner_version !== row.owner_version)
          return undefined;
        texts.push(textOf(item, row, signer));
      }
      return texts.join();
    },
    writeWhole(rows, signer) {
      return rows
        .map((row) => {
          const item = keep(row);
          kept.set(row.id, item);
          return textOf(item, row, signer);
        })
        .join();
    },
  };
}

function keep(row: WholeRow): KeptItem {
  const { item_version, owner_version, image_key, preview_extension } = row;
  const item = pick(presentItem(row, undefined));
  // An object without its braces: there are fields before and after.
  const inner = (names: string[]) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, item[name as keyof PhotoItem]]))).slice(
      1,
      -1,
    );
  const begin = `{${inner(beginNames)},`;
  return {
    ...{ item_version, owner_version, image_key, preview_extension, begin },
    beginPlain: `${begin}${inner(paths)},`,
    end: `,${inner(endNames)}}`,
  };
}

function textOf(item: KeptItem, row: ItemRow, signer: Signer | undefined): string {
  const begin =
    signer && !isPublic(row) ? `${item.begin}${signedPaths(item, row, signer)},` : item.beginPlain;
  const { views, likes, favorites, comments } = row;
  const counts = `"views":${views},"likes":${likes},"favorites":${favorites},"comments":${comments}`;
  const reactions = `"is_liked":${row.is_liked === 1},"is_favorited":${row.is_favorited === 1}`;
  return `${begin}${counts},${reactions}${item.end}`;
}

function signedPaths(item: KeptItem, { visibility_now }: ItemRow, signer: Signer): string {
  const { image_key, preview_extension } = item;
  const image = { image_key, preview_extension, visibility_now };
  const text = (name: string, path: string) => `"${name}":${JSON.stringify(path)}`;
  const all = [thumbPath(image, signer), previewPath(image, signer), sizesPath(image, signer)];
  return all.map((path, at) => text(paths[at]!, path)).join();
}
