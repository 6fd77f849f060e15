/** Schema of the response of `GET /api/site`. */
import { registrations } from '../../config.ts';
import { languages } from '../../platform/http/language.ts';
import { choice } from '../../platform/http/schema.ts';
import { formats } from '../../platform/imaging/formats.ts';
import { Type } from '../../platform/schema/type.ts';

const mimes = Object.values(formats).map(({ mime }) => mime);

const Oidc = Type.Object(
  { name: Type.String({ description: 'What to call it', examples: ['Example Club'] }) },
  { title: 'OidcProvider' },
);

const SignIn = Type.Object(
  {
    password: Type.Boolean({ description: 'By username or email and password' }),
    oidc: Type.Unsafe<{ name: string } | null>({
      anyOf: [Oidc, { type: 'null' }],
      description: 'By an OpenID provider; null: not offered',
    }),
    passkey: Type.Boolean({ description: 'Browsers offer them over https, and on localhost' }),
  },
  { title: 'SignIn', description: 'The ways to sign in' },
);

export const Site = Type.Object(
  {
    name: Type.String({ description: 'What the gallery is called (SITE_NAME)', examples: ['Lightwell'] }),
    version: Type.String({ description: 'Of Lightwell', examples: ['0.1.0'] }),
    registration: choice(registrations, { description: 'Who may register' }),
    has_users: Type.Boolean({ description: 'Whether there is any account' }),
    has_admin: Type.Boolean({
      description: 'Whether an admin is among them: the link of the first one is over then',
    }),
    password_min_length: Type.Integer({
      description:
        'Characters that a new password needs; 8 where PASSWORD_RULES is `strict`, which asks for more',
      examples: [6],
    }),
    mail: Type.Boolean({
      description: 'Whether it sends mail: links for forgotten passwords, and to confirm an address',
    }),
    sign_in: SignIn,
    formats: Type.Array(choice(mimes), { description: 'Media types that are accepted' }),
    max_upload_mb: Type.Integer({ description: 'The largest photo, in megabytes', examples: [50] }),
    rate_limit: Type.Integer({
      description: 'API requests a minute of one user or address; 0: no limit',
      examples: [60],
    }),
    languages: Type.Array(choice(languages), {
      description: 'Of the pages; messages of the API are in English',
    }),
  },
  { title: 'Site' },
);
