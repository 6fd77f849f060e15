/** Steps that apply one action to several photos, with the same results as single actions. */
import type { Rows } from '../rows.ts';
import { done, idOf, type Kind, type Outcome, type Step } from './kind.ts';
import { reaction, restore, someAlbum, trash, update } from './photos.ts';

export const batch: Kind = {
  does: 'batch',
  weight: 4,
  choose(chance) {
    const { random } = chance;
    const labels = new Set(Array.from({ length: 1 + random.below(5) }, () => chance.any('photo')));
    const ids = [...labels].filter((label) => label !== undefined);
    if (ids.length === 0) return undefined;
    const action = random.pick([
      'delete',
      'restore',
      'publish',
      'hide',
      'move',
      'favorite',
      'tag',
      'untag',
    ] as const);
    const into = action === 'move' ? (someAlbum(chance) ?? 'none') : undefined;
    return { it: ids[0]!, ids, action, ...(into && { into }) };
  },
  say: ({ by, ids, action, into }) =>
    `${by} selects ${(ids as string[]).join(', ')}: ${action}${into ? ` to ${into}` : ''}${/tag/.test(action as string) ? ' sea' : ''}`,
  happen(rows, step) {
    const outcomes = (step.ids as string[]).map((it) => [it, batchOutcome(rows, { ...step, it })] as const);
    return done({
      success: outcomes.filter(([, { code }]) => code === 0).map(([it]) => it),
      failed: outcomes.filter(([, { code }]) => code !== 0).map(([it, { code }]) => `${it}: ${code}`),
    });
  },
  async send(stage, who, { ids, action, into }) {
    const answer = await who.post('/api/photos/batch', {
      ids: (ids as string[]).map((label) => idOf(stage, label)),
      action,
      ...(into !== undefined && { album_id: into === 'none' ? 0 : idOf(stage, into) }),
      ...(/tag/.test(action as string) && { tags: ['sea'] }),
    });
    if (answer.body.code !== 0) return answer;
    const findLabel = (id: number) => (ids as string[]).find((label) => idOf(stage, label) === id);
    const { success, failed } = answer.body.data;
    answer.body.data = {
      success: success.map(findLabel),
      failed: failed.map(({ id, code }: { id: number; code: number }) => `${findLabel(id)}: ${code}`),
    };
    return answer;
  },
};

function batchOutcome(rows: Rows, step: Step): Outcome {
  const photo = rows.photos.get(step.it);
  const tags = photo?.tags ?? [];
  switch (step.action) {
    case 'delete':
      return trash.happen(rows, step);
    case 'restore':
      return restore.happen(rows, step);
    case 'favorite':
      return reaction('favorite').happen(rows, { ...step, wanted: true });
    case 'publish':
    case 'hide':
      return update.happen(rows, {
        ...step,
        level: step.action === 'publish' ? 'public' : 'private',
        into: undefined,
      });
    case 'move':
      return update.happen(rows, step);
    case 'tag':
      return update.happen(rows, { ...step, tags: tags.includes('sea') ? tags : [...tags, 'sea'] });
    default:
      return update.happen(rows, { ...step, tags: tags.filter((tag) => tag !== 'sea') });
  }
}
