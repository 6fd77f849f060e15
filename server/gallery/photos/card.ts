/** Finds the picture that previews of a link show. */
import type { Deps } from '../../deps.ts';
import type { Visibility } from '../../platform/db/states.ts';
import type { CardPicture } from '../../platform/http/link-card.ts';
import { buildSizesPath } from '../delivery/paths.ts';
import type { PathSigner } from '../delivery/signatures.ts';
import { cardPath, computeCardSize } from '../delivery/sizes.ts';
import type { PhotoItem } from './schema.ts';

type ShownPicture = Pick<PhotoItem, 'image' | 'width' | 'height'>;

/** Returns the card of a photo. The photo's paths already belong to the reader of the link. */
export function createCardPicture(
  photo: ShownPicture | undefined,
  baseUrl: string | undefined,
): CardPicture | undefined {
  if (!photo || baseUrl === undefined) return undefined;
  return { url: `${baseUrl}${cardPath(photo.image)}`, ...computeCardSize(photo) };
}

/** Returns the picture of an album's cover, or undefined if the photo is gone. */
export async function findCoverPicture(
  { db }: Pick<Deps, 'db'>,
  cover: { id: number; image_key: string; visibility_now: Visibility },
  signer: PathSigner | undefined,
): Promise<ShownPicture | undefined> {
  const size = await db.kysely
    .selectFrom('images')
    .select(['width', 'height'])
    .where('key', '=', cover.image_key)
    .executeTakeFirst();
  return size && { image: buildSizesPath(cover, signer), ...size };
}
