/** Shows whether the account has a second factor. */
import { useQuery } from '@tanstack/react-query';
import type { CurrentUser } from '../api/types.ts';
import { t, withTexts } from '../messages/messages.ts';
import { SettingsSection } from '../settings/settings.tsx';
import { WithPassword } from '../settings/with-password.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { LoadOnClick } from '../ui/on-request.tsx';
import { factorQuery } from './queries.ts';

const loadFactorForms = withTexts(() => import('../factor/factor-forms.tsx'), 'factor');

export function SecondFactor({ user }: { user: CurrentUser }) {
  const { data: factor, error, refetch } = useQuery(factorQuery);
  return (
    <SettingsSection title={t('factorTitle')} text={t('factorText')}>
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {factor?.is_on && <p>{t('factorOn', { count: factor.recovery_codes })}</p>}
      {factor && (
        <WithPassword user={user}>
          <LoadOnClick label={t(factor.is_on ? 'factorManage' : 'factorSetUp')} load={loadFactorForms}>
            {({ FactorForms }) => <FactorForms factor={factor} />}
          </LoadOnClick>
        </WithPassword>
      )}
    </SettingsSection>
  );
}
