/** The field for the place of photos: coordinates, or a link from a map. */
import { t } from '../messages/messages.ts';
import { Field } from '../ui/form.tsx';
import { parsePlace } from './place-text.ts';

interface Props {
  name: string;
  hint?: string;
  problem?: string | undefined;
  defaultValue?: string;
  required: boolean;
}

export function PlaceField({ hint, ...field }: Props) {
  return (
    <Field
      {...field}
      label={t('place')}
      hint={[t('placeHint'), hint].filter(Boolean).join(' ')}
      placeholder="46.0207, 7.7491"
      autoComplete="off"
      maxLength={500}
      onInput={({ currentTarget }) => currentTarget.setCustomValidity(findPlaceProblem(currentTarget.value))}
    />
  );
}

/** Returns why a text is no place, or '' for a place or no text. */
const findPlaceProblem = (text: string) =>
  text.trim() === '' || parsePlace(text) ? '' : t('placeUnreadable');
