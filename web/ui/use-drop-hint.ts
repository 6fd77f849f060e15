/** Adds to a text that files can be dropped, on devices with a pointer that drags, such as a mouse. */
import { t } from '../messages/messages.ts';
import { useMedia } from './use-media.ts';

export function useDropHint(text: string, hint = t('dropHere')): string {
  return useMedia('(any-pointer: fine)') ? `${text} ${hint}`.trim() : text;
}
