/** Schema of the response of `GET /api/site`. */
import { registrationModes, siteAccessChoices } from '../../config.ts';
import { pageLanguages } from '../../platform/http/language.ts';
import { choiceField } from '../../platform/http/schema.ts';
import { imageFormats } from '../../platform/imaging/formats.ts';
import { Type } from '../../platform/schema/type.ts';

const acceptedMimes = Object.values(imageFormats).map(({ mime }) => mime);

const Oidc = Type.Object(
  { name: Type.String({ description: 'Display name of the provider', examples: ['Example Club'] }) },
  { title: 'OidcProvider' },
);

const SignIn = Type.Object(
  {
    password: Type.Boolean({ description: 'Sign-in with username or email and a password' }),
    oidc: Type.Unsafe<{ name: string } | null>({
      anyOf: [Oidc, { type: 'null' }],
      description: 'Sign-in with an OpenID provider; null: not offered',
    }),
    passkey: Type.Boolean({
      description: 'Sign-in with a passkey; browsers support passkeys over https and on localhost',
    }),
  },
  { title: 'SignIn', description: 'Ways to sign in' },
);

export const accessField = choiceField(siteAccessChoices, {
  title: 'SiteAccess',
  description:
    'Who can see the gallery. `members`: without a sign-in, all calls except those for signing in, ' +
    'registering and opening shares are refused with 401',
});

export const registrationField = choiceField(registrationModes, {
  title: 'RegistrationMode',
  description: 'Who can register',
});

export const Site = Type.Object(
  {
    name: Type.String({
      description: 'Name of the gallery (SITE_NAME, or set by an admin)',
      examples: ['Lightwell'],
    }),
    welcome: Type.String({ description: 'Text for visitors, for example on the sign-in page; empty: none' }),
    logo: Type.String({ description: 'Path of the logo; empty: none' }),
    accent_color: Type.String({
      description: 'Color of links and main buttons, `#rrggbb`; empty: the standard color',
    }),
    version: Type.String({ description: 'Version of Lightwell', examples: ['0.1.0'] }),
    access: accessField,
    is_access_fixed: Type.Boolean({
      description: 'Whether the setting ACCESS decides about `access`, so that the first admin cannot choose',
    }),
    registration: registrationField,
    has_users: Type.Boolean({ description: 'Whether there is any account' }),
    has_admin: Type.Boolean({
      description: 'Whether there is an admin; if so, the setup link no longer works',
    }),
    password_min_length: Type.Integer({
      description: 'Minimum length of a new password; 8 if PASSWORD_RULES is `strict`, which has more rules',
      examples: [6],
    }),
    mail: Type.Boolean({
      description: 'Whether the gallery sends mail, such as password reset links and email confirmations',
    }),
    sign_in: SignIn,
    formats: Type.Array(choiceField(acceptedMimes), { description: 'Accepted media types' }),
    max_upload_mb: Type.Integer({ description: 'Maximum size of a photo, in megabytes', examples: [50] }),
    max_megapixels: Type.Integer({
      description: 'Maximum size of a photo, or of one frame of an animation, in megapixels',
      examples: [220],
    }),
    rate_limit: Type.Integer({
      description: 'API requests a minute for one user with tokens, or for one address; 0: no limit',
      examples: [60],
    }),
    languages: Type.Array(choiceField(pageLanguages), {
      description: 'Languages of the pages; messages of the API are in English',
    }),
  },
  { title: 'Site' },
);
