/** Schemas for requests and responses of the second factor. */
import { Type } from '../../../platform/schema/type.ts';
import { currentPasswordField, sessionCookieField } from '../schema.ts';

const factorCodeField = (description: string) =>
  Type.String({
    trims: 'blanks',
    minLength: 1,
    maxLength: 50,
    format: 'text',
    description,
    examples: ['287082'],
  });

export const LoginSecondStepRequest = Type.Object(
  {
    challenge: Type.String({
      minLength: 1,
      maxLength: 100,
      description: '`data.challenge` of the first sign-in step',
    }),
    code: factorCodeField('Code of the authenticator app, or a recovery code'),
    cookie: sessionCookieField,
  },
  { title: 'LoginSecondStep' },
);

export const PasswordProof = Type.Object({ password: currentPasswordField }, { title: 'PasswordProof' });

export const FirstFactorCode = Type.Object(
  { code: factorCodeField('Code of the authenticator app') },
  { title: 'FirstCode' },
);

export const SecondFactorStatus = Type.Object(
  {
    is_on: Type.Boolean(),
    recovery_codes: Type.Integer({ description: 'Number of unused recovery codes', examples: [10] }),
  },
  { title: 'SecondFactor' },
);

export const NewSecondFactor = Type.Object(
  {
    secret: Type.String({
      description: 'Secret to type into an authenticator app',
      examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
    }),
    url: Type.String({ examples: ['otpauth://totp/Lightwell:ansel?secret=JBSWY3DPEHPK3PXP'] }),
    qr_code: Type.String({
      description: 'The URI as a QR code: a PNG as a data URI',
      examples: ['data:image/png;base64,…'],
    }),
  },
  { title: 'NewSecondFactor' },
);

export const RecoveryCodes = Type.Object(
  { recovery_codes: Type.Array(Type.String({ examples: ['8f3a-90c1-77de-04b2-5a1c-e6d9-3b70'] })) },
  { title: 'RecoveryCodes' },
);
