/** The props of each dialog that asks for details of a change. */
import type { CurrentUser, PhotoItem } from '../api/types.ts';
import type { ManyHands } from '../photos/actions.ts';

export interface QuestionProps {
  photos: PhotoItem[];
  user: CurrentUser;
  onClose(): void;
  onChange: ManyHands['change'];
}
