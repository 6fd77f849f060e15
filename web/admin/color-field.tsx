/** Chooses the accent color, and shows its contrast with white before the server refuses the color. */
import { computeContrast, minTextContrast } from '../../server/platform/schema/color.ts';
import { getLanguage, t } from '../messages/messages.ts';
import form from '../ui/form.module.css';
import styles from './site.module.css';

/** The standard accent color on light pages, as in styles/tokens.css. */
const standardColor = '#8a4b16';

interface Props {
  /** Color as `#rrggbb`, or '' for the standard color. */
  color: string;
  onChange(color: string): void;
  problem: string | undefined;
}

export function ColorField({ color, onChange, problem }: Props) {
  const contrast = computeContrast(color || standardColor, '#ffffff');
  const figure = Math.floor(contrast * 10) / 10;
  const hint =
    color === ''
      ? t('adminSiteColorStandard')
      : t('adminSiteColorHint', { contrast: figure.toLocaleString(getLanguage()) });
  return (
    <fieldset className={styles.color}>
      <legend>{t('adminSiteColor')}</legend>
      <div>
        <input
          type="color"
          aria-label={t('adminSiteColorChoose')}
          aria-describedby="color-told"
          aria-invalid={problem !== undefined || contrast < minTextContrast || undefined}
          value={color || standardColor}
          onChange={({ target }) => onChange(target.value)}
        />
        {color !== '' && (
          <button className="button quiet" type="button" onClick={() => onChange('')}>
            {t('adminSiteColorReset')}
          </button>
        )}
      </div>
      <p
        id="color-told"
        className={problem ? form.problem : form.hint}
        {...(problem ? { role: 'alert' } : { 'aria-live': 'polite' as const })}
      >
        {problem ?? hint}
      </p>
    </fieldset>
  );
}
