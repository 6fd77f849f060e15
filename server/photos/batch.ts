/** One action on many photos. Each photo is a transaction of its own: those that fail keep none of the others back. */
import { type Static, Type } from 'typebox';
import type { Viewer } from '../auth/viewer.ts';
import { fold } from '../db/fold.ts';
import type { Deps } from '../deps.ts';
import { toApiError } from '../http/error-handler.ts';
import { invalidFields } from '../http/errors.ts';
import { idField } from '../http/schema.ts';
import { type Outcome, PhotoUpdate } from './schema.ts';
import { cleanTags } from './tags.ts';
import { trashPhoto } from './trash.ts';
import { restorePhoto } from './trash-restore.ts';
import { updatePhoto } from './update.ts';

const actions = ['delete', 'restore', 'move', 'tag', 'untag', 'publish', 'hide'] as const;
type Action = (typeof actions)[number];

export const Batch = Type.Object(
  {
    ids: Type.Array(idField('photo'), {
      minItems: 1,
      maxItems: 100,
      description: 'Twice the same counts once',
    }),
    action: Type.Unsafe<Action>({
      type: 'string',
      enum: [...actions],
      title: 'BatchAction',
      description: '`publish` and `hide` set `is_public`, `restore` takes out of the trash',
    }),
    album_id: Type.Optional(
      Type.Unsafe<number | null>({
        ...PhotoUpdate.properties.album_id,
        description: '`move`: id of an own album; null or 0 takes the photos out of their albums',
      }),
    ),
    tags: Type.Optional(
      Type.Unsafe<string[]>({ ...PhotoUpdate.properties.tags, description: '`tag`, `untag`: which ones' }),
    ),
  },
  { title: 'Batch', examples: [{ ids: [3, 5, 8], action: 'tag', tags: ['alps'] }] },
);
export type Batch = Static<typeof Batch>;

/** Throws 400 naming `album_id` or `tags` when the action needs it; then nothing was done. */
export async function runBatch(deps: Deps, viewer: Viewer, batch: Batch): Promise<Outcome> {
  const act = actionOf(deps, viewer, batch);
  const result: Outcome = { success: [], failed: [] };
  for (const id of new Set(batch.ids)) {
    try {
      await act(id);
      result.success.push(id);
    } catch (error) {
      // Whatever it is: the client has to learn what was done already.
      const { code, message, status } = toApiError(error);
      if (status >= 500) deps.log.error({ err: error, photo: id }, 'a photo of a batch failed');
      result.failed.push({ id, code, message });
    }
  }
  return result;
}

type Act = (id: number) => Promise<void>;

function actionOf(deps: Deps, viewer: Viewer, { action, album_id, tags }: Batch): Act {
  switch (action) {
    case 'delete':
      return (id) => trashPhoto(deps, viewer, id);
    case 'restore':
      return (id) => restorePhoto(deps, viewer, id);
    case 'publish':
    case 'hide':
      return (id) => updatePhoto(deps, viewer, id, { is_public: action === 'publish' ? 1 : 0 });
    case 'move':
      if (album_id === undefined) throw invalidFields({ album_id: ['is required by this action'] });
      return (id) => updatePhoto(deps, viewer, id, { album_id });
    case 'tag':
    case 'untag': {
      const given = cleanTags(tags ?? []);
      if (given.length === 0) throw invalidFields({ tags: ['is required by this action'] });
      const keys = new Set(given.map(fold));
      const change =
        action === 'tag'
          ? (current: string[]) => [...current, ...given]
          : (current: string[]) => current.filter((tag) => !keys.has(fold(tag)));
      return (id) => updatePhoto(deps, viewer, id, { tags: change });
    }
  }
}
