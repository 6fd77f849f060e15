/** Schemas for requests and responses of the second factor. */
import { Type } from '../../../platform/schema/type.ts';
import { cookie, currentPassword } from '../schema.ts';

const code = (description: string) =>
  Type.String({ minLength: 1, maxLength: 50, format: 'text', description, examples: ['287082'] });

export const SecondStep = Type.Object(
  {
    challenge: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Of the first step: `data.challenge`',
    }),
    code: code('Of the app, or a recovery code'),
    cookie,
  },
  { title: 'LoginSecondStep' },
);

export const WithPassword = Type.Object({ password: currentPassword }, { title: 'PasswordProof' });

export const FirstCode = Type.Object({ code: code('Of the app') }, { title: 'FirstCode' });

export const Factor = Type.Object(
  {
    is_on: Type.Boolean(),
    recovery_codes: Type.Integer({ description: 'How many are left', examples: [10] }),
  },
  { title: 'SecondFactor' },
);

export const NewFactor = Type.Object(
  {
    secret: Type.String({
      description: 'To type into an app',
      examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
    }),
    url: Type.String({ examples: ['otpauth://totp/Lightwell:ansel?secret=JBSWY3DPEHPK3PXP'] }),
    qr_code: Type.String({
      description: 'The same to scan: a PNG as a data URI',
      examples: ['data:image/png;base64,…'],
    }),
  },
  { title: 'NewSecondFactor' },
);

export const RecoveryCodes = Type.Object(
  { recovery_codes: Type.Array(Type.String({ examples: ['8f3a-90c1-77de-04b2-5a1c-e6d9-3b70'] })) },
  { title: 'RecoveryCodes' },
);
