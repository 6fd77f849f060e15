/** Whether signing in asks for a second factor. */
import { useQuery } from '@tanstack/react-query';
import type { CurrentUser } from '../api/types.ts';
import { t, withTexts } from '../messages/messages.ts';
import { Section } from '../settings/settings.tsx';
import { WithPassword } from '../settings/with-password.tsx';
import { OnRequest } from '../ui/on-request.tsx';
import { Trouble } from '../ui/trouble.tsx';
import { factorQuery } from './queries.ts';

const load = withTexts(() => import('../factor/factor-forms.tsx'), 'factor');

export function SecondFactor({ user }: { user: CurrentUser }) {
  const { data: factor, error, refetch } = useQuery(factorQuery);
  return (
    <Section title={t('factorTitle')} text={t('factorText')}>
      {error && <Trouble error={error} retry={() => void refetch()} />}
      {factor?.is_on && <p>{t('factorOn', { count: factor.recovery_codes })}</p>}
      {factor && (
        <WithPassword user={user}>
          <OnRequest label={t(factor.is_on ? 'factorChange' : 'factorBegin')} load={load}>
            {({ FactorForms }) => <FactorForms factor={factor} />}
          </OnRequest>
        </WithPassword>
      )}
    </Section>
  );
}
