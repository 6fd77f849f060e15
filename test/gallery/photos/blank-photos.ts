/** Creates photo rows without pictures, about one per millisecond. */
import { randomBytes } from 'node:crypto';
import { addPhoto } from '../../../server/gallery/library/set-visibility.ts';
import { Level, UserStatus } from '../../../server/platform/db/states.ts';
import type { Gallery } from '../../support/harness.ts';
import { setPhoto } from '../../support/photo-counters.ts';
import type { Random } from '../../support/random.ts';

const titles = ['', 'a', 'alps', 'Alps', 'Ünder', '山', '山水', '📷', 'zebra'];

/** Returns random values from small ranges, so that many photos have equal values. */
export function randomValues({ below, pick }: Random) {
  const title = pick(titles);
  const numbers = { views: below(5), likes: below(3), favorites: below(3), downloads: below(9) };
  return { ...numbers, size: 1 + below(50), update_time: below(30), title, title_key: title.toLowerCase() };
}

/** Adds a photo row like an upload does, and returns its id. */
export async function addBlank(
  { deps }: Pick<Gallery, 'deps'>,
  owner: number,
  random: Random,
  level: Level = random.pick([Level.public, Level.public, Level.members, Level.private]),
): Promise<number> {
  const key = randomBytes(16).toString('hex');
  const { views, likes, favorites, downloads, ...others } = randomValues(random);
  const row = {
    ...{ user_id: owner, create_time: 1_700_000_000 + random.below(1000), taken_time: 1_700_000_000 },
    ...{ width: 3, height: 2, image_key: key, original_key: key, placeholder: '', description: '' },
    ...{ level, tags: '[]', camera: '', aperture: '', shutter: '', iso: 0 },
    ...{ file_name: '', sha256: '', delete_time: null, tagList: [] },
    ...others,
  };
  const status = { album: undefined, owner_status: UserStatus.enabled };
  return deps.db.kysely.transaction().execute(async (transaction) => {
    const { id } = await addPhoto(deps, transaction, row, status);
    await setPhoto(transaction, id, { views, likes, favorites, downloads });
    return id;
  });
}
