/** The form of a new account, and why there is none. */
import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { AccountFields, registrationOf } from './account-fields.tsx';
import { useRegister } from './entrance/queries.ts';
import { useSite } from './queries.ts';
import { useArrive } from './use-arrive.ts';

interface Props {
  /** What stands at the end of an invite's link. */
  invite?: string;
  /** Where one goes afterwards. */
  to: string | undefined;
}

export function NewAccount({ invite, to }: Props) {
  const register = useRegister();
  const arrive = useArrive();
  const { registration = 'open' } = useSite() ?? {};
  if (registration === 'closed') return <Closed title={t('closedTitle')} text={t('closedText')} to={to} />;
  if (registration === 'invite' && invite === undefined) {
    return <Closed title={t('inviteTitle')} text={t('inviteText')} to={to} />;
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const given = { ...registrationOf(event.currentTarget), ...(invite !== undefined && { invite }) };
    register.mutate(given, { onSuccess: () => arrive(to) });
  };
  const title = t(invite === undefined ? 'register' : 'joinTitle');
  return (
    <Page title={title}>
      <Card as="h1" title={title} {...(invite !== undefined && { text: t('joinText') })}>
        <Form onSubmit={submit} error={register.error} isBusy={register.isPending} action={t('register')}>
          <AccountFields error={register.error} />
        </Form>
        <p>
          {t('haveAccount')} <SignIn to={to} />
        </p>
      </Card>
    </Page>
  );
}

function Closed({ title, text, to }: { title: string; text: string; to: string | undefined }) {
  return (
    <Page title={title}>
      <Card as="h1" title={title} text={text}>
        <p>
          {t('haveAccount')} <SignIn to={to} />
        </p>
      </Card>
    </Page>
  );
}

function SignIn({ to }: { to: string | undefined }) {
  return (
    <Link to="/sign-in" search={to === undefined ? {} : { to }}>
      {t('signIn')}
    </Link>
  );
}
