/** Whether signing in asks for a second factor. */
import { useQuery } from '@tanstack/react-query';
import { t, withTexts } from '../messages/messages.ts';
import { Trouble } from '../ui/trouble.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { factorQuery } from './queries.ts';
import styles from './settings.module.css';
import { Section } from './settings.tsx';

const load = withTexts(() => import('../factor/factor-forms.tsx'), 'factor');

export function SecondFactor() {
  const { data: factor, error, refetch } = useQuery(factorQuery);
  const [forms, begin] = useLoaded(load);
  return (
    <Section title={t('factorTitle')} text={t('factorText')}>
      {error && <Trouble error={error} retry={() => void refetch()} />}
      {factor?.is_on && <p>{t('factorOn', { count: factor.recovery_codes })}</p>}
      {factor && forms && <forms.FactorForms factor={factor} />}
      {factor && !forms && (
        <div className={styles.actions}>
          <button className="button quiet" type="button" onClick={begin}>
            {t(factor.is_on ? 'factorChange' : 'factorBegin')}
          </button>
        </div>
      )}
    </Section>
  );
}
