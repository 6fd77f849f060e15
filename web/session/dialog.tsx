/**
 * A dialog that asks the user to sign in again after the session has expired; the interrupted action then
 * continues.
 */
import type { FormEvent } from 'react';
import type { CurrentUser } from '../api/types.ts';
import { useSite } from '../auth/queries.ts';
import { SecondStepForm } from '../auth/second-step.tsx';
import { readSecondStepChallenge } from '../auth/sign-in/queries.ts';
import { readSignInCredentials, SignInFields } from '../auth/sign-in-fields.tsx';
import { t } from '../messages/messages.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { hasOtherSignInMethods, OtherSignInMethods } from './other-methods.tsx';
import { type SignInResult, useSecondSignInStepAgain, useSignInAgain, useStaySignedOut } from './queries.ts';
import styles from './session.module.css';

interface Props {
  user: CurrentUser;
  answer(isRenewed: boolean): void;
}

export function SignInAgainDialog({ user, answer }: Props) {
  const signIn = useSignInAgain();
  const staySignedOut = useStaySignedOut();
  const step = useSecondSignInStepAgain();
  const site = useSite();
  const isOtherwise = site !== undefined && hasOtherSignInMethods(site);
  // The password is not asked if it cannot sign in here and another method exists.
  const asksPassword = !isOtherwise || (site.sign_in.password && user.has_password);
  const continueAsUser = (found: SignInResult) => answer(found.user.id === user.id);
  const done = { onSuccess: continueAsUser };
  const sendPassword = (event: FormEvent<HTMLFormElement>) =>
    signIn.mutate(readSignInCredentials(event.currentTarget), done);
  const challenge = readSecondStepChallenge(signIn.error);
  const stayOut = () => {
    staySignedOut();
    answer(false);
  };
  return (
    <Dialog title={t('sessionEnded')} onClose={stayOut}>
      <p className={styles.text}>{t('sessionEndedText', { name: user.nickname || user.username })}</p>
      {challenge === undefined ? (
        <>
          {asksPassword && (
            <Form onSubmit={sendPassword} error={signIn.error} isBusy={signIn.isPending} action={t('signIn')}>
              <SignInFields error={signIn.error} username={user.username} />
            </Form>
          )}
          {isOtherwise && <OtherSignInMethods site={site} onDone={continueAsUser} />}
        </>
      ) : (
        <SecondStepForm
          error={step.error}
          isBusy={step.isPending}
          onCode={(code) => step.mutate({ challenge, code }, done)}
          onBack={() => signIn.reset()}
        />
      )}
      <button className="button quiet" type="button" onClick={stayOut}>
        {t('sessionContinueSignedOut')}
      </button>
    </Dialog>
  );
}
