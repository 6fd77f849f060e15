/** Chooses the accent color, and explains why the server refuses a light color. */
import { computeAccentContrast, minTextContrast } from '../../server/platform/schema/color.ts';
import { getLanguage, t } from '../messages/messages.ts';
import form from '../ui/form.module.css';
import styles from './site.module.css';

/** The standard accent color on light pages, as in styles/tokens.css. */
const standardColor = '#8a4b16';

interface Props {
  /** Color as `#rrggbb`, or '' for the standard color. */
  color: string;
  onChange(color: string): void;
}

export function ColorField({ color, onChange }: Props) {
  const contrast = computeAccentContrast(color || standardColor);
  const isTooLight = contrast < minTextContrast;
  const figure = (Math.floor(contrast * 10) / 10).toLocaleString(getLanguage());
  const hint = isTooLight
    ? t('adminSiteColorTooLight', { contrast: figure })
    : t(color === '' ? 'adminSiteColorStandard' : 'adminSiteColorHint');
  return (
    <fieldset className={styles.color}>
      <legend>{t('adminSiteColor')}</legend>
      <div>
        <input
          type="color"
          aria-label={t('adminSiteColorChoose')}
          aria-describedby="color-told"
          aria-invalid={isTooLight || undefined}
          value={color || standardColor}
          onChange={({ target }) => onChange(target.value)}
        />
        {color !== '' && (
          <button className="button quiet" type="button" onClick={() => onChange('')}>
            {t('adminSiteColorReset')}
          </button>
        )}
      </div>
      <p id="color-told" className={isTooLight ? form.problem : form.hint} aria-live="polite">
        {hint}
      </p>
    </fieldset>
  );
}
