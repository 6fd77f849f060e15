/** Schemas for requests and responses about forgotten passwords and email addresses. */
import type { Static } from 'typebox';
import { nullableField } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import { currentPasswordField, emailField, newPasswordField } from '../schema.ts';

const token = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Token at the end of the link, after `#`',
});

export const PasswordResetRequest = Type.Object({ email: emailField }, { title: 'ForgottenPassword' });

export const PasswordReset = Type.Object(
  {
    token,
    password: newPasswordField,
    end_keys: Type.Optional(
      nullableField(
        Type.Boolean({
          description:
            'true: also deletes all API keys and passkeys, and the connection with the OpenID provider. ' +
            'false, null or left out: they stay valid',
        }),
      ),
    ),
  },
  { title: 'PasswordReset' },
);
export type PasswordReset = Static<typeof PasswordReset>;

export const EmailChange = Type.Object(
  { email: emailField, password: currentPasswordField },
  { title: 'EmailChange' },
);
export type EmailChange = Static<typeof EmailChange>;

export const EmailConfirmation = Type.Object({ token }, { title: 'EmailConfirmation' });

export const CurrentEmail = Type.Object(
  {
    email: Type.String({
      description:
        'Current email of the account, which is still the old one if a link was sent to the new email',
      examples: ['ansel@example.org'],
    }),
  },
  { title: 'CurrentEmail' },
);

export const ConfirmedEmail = Type.Object(
  {
    email: Type.String({ description: 'Current email of the account', examples: ['ansel@example.org'] }),
    email_confirmed: Type.Boolean({
      description: 'Whether the OpenID provider can find the account by this email',
      examples: [true],
    }),
  },
  { title: 'ConfirmedEmail' },
);
