/** Form fields of a new account. */
import { t } from '../messages/messages.ts';
import { createFieldErrorLookup, Field, maxPasswordLength } from '../ui/form.tsx';
import { useMinPasswordLength } from './queries.ts';
import type { RegistrationInput } from './sign-in/queries.ts';

export function AccountFields({ error }: { error: Error | null }) {
  const findProblem = createFieldErrorLookup(error);
  const least = useMinPasswordLength();
  return (
    <>
      <Field
        name="username"
        label={t('username')}
        hint={t('usernameHint')}
        problem={findProblem('username')}
        minLength={3}
        maxLength={20}
        autoComplete="username"
        autoFocus
      />
      <Field
        name="email"
        label={t('email')}
        problem={findProblem('email')}
        type="email"
        autoComplete="email"
      />
      <Field
        name="password"
        label={t('password')}
        hint={t('passwordHint', { count: least })}
        problem={findProblem('password')}
        type="password"
        minLength={least}
        maxLength={maxPasswordLength}
        autoComplete="new-password"
      />
    </>
  );
}

export function readRegistration(element: HTMLFormElement): RegistrationInput {
  const form = new FormData(element);
  const readText = (name: string) => String(form.get(name));
  return { username: readText('username'), email: readText('email'), password: readText('password') };
}
