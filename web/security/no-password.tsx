/**
 * Explains how an account without a password gets one. Only accounts from the OpenID provider load this
 * script.
 */

import { useSite } from '../auth/queries.ts';
import { useRequestPasswordReset } from '../auth/sign-in/queries.ts';
import { t } from '../messages/messages.ts';
import { Form } from '../ui/form.tsx';

export function NoPasswordCard({ email }: { email: string }) {
  const site = useSite();
  const send = useRequestPasswordReset();
  if (site?.sign_in.password === false) return <p>{t('passwordUnavailable')}</p>;
  if (!site?.mail) return <p>{t('passwordAskAdmin')}</p>;
  return (
    <Form
      onSubmit={() => send.mutate(email)}
      error={send.error}
      isBusy={send.isPending}
      action={t('passwordSendLink')}
      done={send.isSuccess && t('passwordSent', { email })}
    >
      {null}
    </Form>
  );
}
