/** Confirms a new email address by a click; mail scanners open links and must not confirm. */
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { useSite } from './queries.ts';
import { useConfirmEmail } from './sign-in/queries.ts';
import { useLinkCode } from './use-link-code.ts';

export function ConfirmEmailPage() {
  const token = useLinkCode();
  const confirm = useConfirmEmail();
  const provider = useSite()?.sign_in.oidc?.name;
  const title = t('confirmTitle');
  return (
    <Page title={title}>
      <Card as="h1" title={title} {...(token === '' && { text: t('linkIncomplete') })}>
        {confirm.isSuccess ? (
          <p role="status">
            {t('confirmDone', { email: confirm.data.email })}
            {provider !== undefined && !confirm.data.email_confirmed && (
              <> {t('confirmAgain', { provider })}</>
            )}
          </p>
        ) : (
          token !== '' && (
            <Form
              onSubmit={() => confirm.mutate(token)}
              error={confirm.error}
              isBusy={confirm.isPending}
              action={t('confirmAction')}
            >
              <p>{t('confirmText')}</p>
            </Form>
          )
        )}
      </Card>
    </Page>
  );
}
