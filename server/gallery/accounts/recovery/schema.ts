/** Schemas for requests and responses about forgotten passwords and email addresses. */
import type { Static } from 'typebox';
import { orNull } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import { currentPassword, email, newPassword } from '../schema.ts';

const token = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What stands at the end of the link, after its `#`',
});

export const RequestReset = Type.Object({ email }, { title: 'ForgottenPassword' });

export const ResetPassword = Type.Object(
  {
    token,
    password: newPassword,
    end_keys: Type.Optional(
      orNull(
        Type.Boolean({
          description:
            'true: ends all API keys, passkeys and the tie to the OpenID provider, too. Left out or null: they stay',
        }),
      ),
    ),
  },
  { title: 'PasswordReset' },
);
export type ResetPassword = Static<typeof ResetPassword>;

export const NewEmail = Type.Object({ email, password: currentPassword }, { title: 'EmailChange' });
export type NewEmail = Static<typeof NewEmail>;

export const Confirmation = Type.Object({ token }, { title: 'EmailConfirmation' });

export const CurrentEmail = Type.Object(
  {
    email: Type.String({
      description: 'That the account has now: where a link was sent, still the one before',
      examples: ['ansel@example.org'],
    }),
  },
  { title: 'CurrentEmail' },
);

export const ConfirmedEmail = Type.Object(
  {
    email: Type.String({ description: 'That the account has now', examples: ['ansel@example.org'] }),
    email_confirmed: Type.Boolean({
      description: 'Whether the OpenID provider may find the account by it',
      examples: [true],
    }),
  },
  { title: 'ConfirmedEmail' },
);
