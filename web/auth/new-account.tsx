/** The registration form, or the reason why registration is not possible. */
import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { t } from '../messages/messages.ts';
import { Card } from '../ui/card.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { AccountFields, readRegistration } from './account-fields.tsx';
import { JoinByProviderButton } from './join-by-provider.tsx';
import { useSite } from './queries.ts';
import { type RegistrationLink, useRegister } from './sign-in/queries.ts';
import { useGoAfterSignIn } from './use-go-after-sign-in.ts';

interface Props {
  /** Code at the end of an invite link. */
  invite?: string;
  /** Path that opens after registration. */
  to: string | undefined;
  /** Error from an earlier attempt at the OpenID provider. */
  problem?: string | undefined;
}

export function RegistrationForm({ invite, to, problem }: Props) {
  const { registration = 'open', sign_in } = useSite() ?? {};
  if (registration === 'closed')
    return (
      <RegistrationClosed title={t('registrationClosedTitle')} text={t('registrationClosedText')} to={to} />
    );
  if (registration === 'invite' && invite === undefined) {
    return <RegistrationClosed title={t('inviteOnlyTitle')} text={t('inviteOnlyText')} to={to} />;
  }
  const isInvited = invite !== undefined;
  const title = t(isInvited ? 'joinTitle' : 'createAccount');
  const text =
    sign_in?.password === false ? t('joinWithProvider', { name: sign_in.oidc?.name ?? '' }) : undefined;
  const link = { ...(isInvited && { invite }) };
  return (
    <Page title={title}>
      <Card as="h1" title={title} {...((text ?? isInvited) && { text: text ?? t('joinText') })}>
        {text === undefined && <AccountForm link={link} to={to} />}
        <JoinByProviderButton link={link} to={to} problem={problem} />
        <p>
          {t('haveAccount')} <SignInInstead to={to} />
        </p>
      </Card>
    </Page>
  );
}

function AccountForm({ link, to }: { link: RegistrationLink; to: string | undefined }) {
  const register = useRegister();
  const arrive = useGoAfterSignIn();
  const submit = (event: FormEvent<HTMLFormElement>) =>
    register.mutate({ ...readRegistration(event.currentTarget), ...link }, { onSuccess: () => arrive(to) });
  return (
    <Form onSubmit={submit} error={register.error} isBusy={register.isPending} action={t('createAccount')}>
      <AccountFields error={register.error} />
    </Form>
  );
}

function RegistrationClosed({ title, text, to }: { title: string; text: string; to: string | undefined }) {
  return (
    <Page title={title}>
      <Card as="h1" title={title} text={text}>
        <p>
          {t('haveAccount')} <SignInInstead to={to} />
        </p>
      </Card>
    </Page>
  );
}

function SignInInstead({ to }: { to: string | undefined }) {
  return (
    <Link to="/sign-in" search={to === undefined ? {} : { to }}>
      {t('signIn')}
    </Link>
  );
}
