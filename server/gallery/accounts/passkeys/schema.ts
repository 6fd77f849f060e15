/** Schemas for requests and responses of the passkey routes. Options and responses are WebAuthn's own JSON. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Static } from 'typebox';
import { lineField, nullableField, timeField, timeOrEmptyField } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import { currentPasswordField, sessionCookieField } from '../schema.ts';

const maxBytesText = 20_000;

const encodedBytesField = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: maxBytesText,
    pattern: '^[A-Za-z0-9_-]*$',
    patternMessage: 'Must be base64url',
    description: `${description}, base64url`,
  });

const credentialId = Type.String({
  minLength: 1,
  // Length in base64url of 1,023 bytes: https://www.w3.org/TR/webauthn-3/#credential-id
  maxLength: 1364,
  pattern: '^[A-Za-z0-9_-]*$',
  patternMessage: 'Must be base64url',
});

/** Returns the schema of a browser's `credential.toJSON()` around the given response. */
const credentialSchema = (response: object) => ({
  id: credentialId,
  rawId: credentialId,
  type: Type.Literal('public-key'),
  response: Type.Object(response as never),
});

const registration = Type.Unsafe<RegistrationResponseJSON>(
  Type.Object(
    credentialSchema({
      clientDataJSON: encodedBytesField('Client data that the browser signed'),
      attestationObject: encodedBytesField('Attestation object with the new public key'),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 30 }), { maxItems: 10 })),
    }),
    { title: 'PasskeyRegistration', description: 'RegistrationResponseJSON of WebAuthn' },
  ),
);

const assertion = Type.Unsafe<AuthenticationResponseJSON>(
  Type.Object(
    credentialSchema({
      clientDataJSON: encodedBytesField('Client data that the browser signed'),
      authenticatorData: encodedBytesField('Authenticator data'),
      signature: encodedBytesField('Signature of the authenticator'),
      userHandle: Type.Optional(nullableField(Type.String({ maxLength: 200 }))),
    }),
    { title: 'PasskeyAssertion', description: 'AuthenticationResponseJSON of WebAuthn' },
  ),
);

export const PasskeyCreationOptions = Type.Unsafe<PublicKeyCredentialCreationOptionsJSON>({
  type: 'object',
  title: 'PasskeyCreationOptions',
  additionalProperties: true,
  description: 'PublicKeyCredentialCreationOptionsJSON of WebAuthn, for `navigator.credentials.create`',
});

export const PasskeyRequestOptions = Type.Unsafe<PublicKeyCredentialRequestOptionsJSON>({
  type: 'object',
  title: 'PasskeyRequestOptions',
  additionalProperties: true,
  description: 'PublicKeyCredentialRequestOptionsJSON of WebAuthn, for `navigator.credentials.get`',
});

const name = Type.String({
  ...lineField(50, 'Name of the passkey, chosen by its owner'),
  minLength: 1,
  examples: ['My phone'],
});

export const PasskeyRequest = Type.Object({ password: currentPasswordField }, { title: 'PasskeyRequest' });

export const NewPasskey = Type.Object({ name, response: registration }, { title: 'NewPasskey' });
export type NewPasskey = Static<typeof NewPasskey>;

export const PasskeyName = Type.Object({ name }, { title: 'PasskeyName' });

export const PasskeyLogin = Type.Object(
  { response: assertion, cookie: sessionCookieField },
  { title: 'PasskeyLogin' },
);

export const Passkey = Type.Object(
  {
    id: Type.Integer(),
    name,
    is_synced: Type.Boolean({
      description: 'Whether a password manager stores the passkey and may sync it to other devices',
    }),
    create_time: timeField(),
    last_used_time: timeOrEmptyField('Last sign-in with the passkey', 'if the passkey was never used'),
  },
  { title: 'Passkey' },
);
export const PasskeyList = Type.Object({ list: Type.Array(Passkey) }, { title: 'PasskeyList' });
