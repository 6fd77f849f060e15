/** Shows whether the account has a second factor. */
import { useQuery } from '@tanstack/react-query';
import type { CurrentUser } from '../api/types.ts';
import { loadWithTexts, t } from '../messages/messages.ts';
import { SettingsSection } from '../settings/settings.tsx';
import { RequireAccountPassword } from '../settings/with-password.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { LoadOnClick } from '../ui/on-request.tsx';
import { secondFactorQuery } from './queries.ts';

const loadFactorForms = loadWithTexts(() => import('../factor/factor-forms.tsx'), 'factor');

export function SecondFactor({ user }: { user: CurrentUser }) {
  const { data: factor, error, refetch } = useQuery(secondFactorQuery);
  return (
    <SettingsSection title={t('factorTitle')} text={t('factorText')}>
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {factor?.is_on && <p>{t('factorOn', { count: factor.recovery_codes })}</p>}
      {factor && (
        <RequireAccountPassword user={user}>
          <LoadOnClick label={t(factor.is_on ? 'factorManage' : 'factorSetUp')} load={loadFactorForms}>
            {({ SecondFactorForms }, close) => <SecondFactorForms factor={factor} onCancel={close} />}
          </LoadOnClick>
        </RequireAccountPassword>
      )}
    </SettingsSection>
  );
}
