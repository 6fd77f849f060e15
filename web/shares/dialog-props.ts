import type { ShareTarget } from './queries.ts';

export interface ShareDialogProps {
  kind: 'photo' | 'album' | 'person';
  name: string;
  /** Path of a public page, whose link the dialog offers. */
  path: string | undefined;
  /** Photo or album for which the user can create a share link. */
  target: ShareTarget | undefined;
  onClose(): void;
}
