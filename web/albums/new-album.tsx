/** A dialog that creates an album and opens the album's page. */
import { useNavigate } from '@tanstack/react-router';
import { t } from '../messages/messages.ts';
import { readDefaultLevel } from '../visibility/default-level.ts';
import type { NarrowingAlbum } from '../visibility/levels.ts';
import { AlbumForm } from './album-form.tsx';
import { useCreateAlbum } from './queries.ts';

interface Props {
  user: number;
  parent?: NarrowingAlbum & { id: number };
  /** Rule of a new smart album; undefined creates an ordinary album. */
  rule?: string;
  onClose(): void;
}

export function NewAlbumDialog({ user, parent, rule, onClose }: Props) {
  const navigate = useNavigate();
  const make = useCreateAlbum();
  const title =
    rule !== undefined
      ? t('albumNewSmart')
      : parent
        ? t('albumNewSubIn', { album: parent.name })
        : t('albumNew');
  return (
    <AlbumForm
      title={title}
      action={t('albumCreate')}
      user={user}
      first={{ name: '', description: '', rule, visibility: readDefaultLevel(user) }}
      above={parent}
      error={make.error}
      isBusy={make.isPending}
      onClose={onClose}
      onSubmit={({ name, description, visibility, rule: written }) =>
        make.mutate(
          {
            ...{ name, description, visibility, parent_id: parent?.id ?? 0 },
            ...(rule !== undefined && { rule: written }),
          },
          {
            onSuccess: ({ id }) => {
              onClose();
              void navigate({ to: '/albums/$albumId', params: { albumId: String(id) } });
            },
          },
        )
      }
    />
  );
}
