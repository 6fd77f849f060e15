/** Schemas for requests and responses of the account routes. */
import type { Static } from 'typebox';
import { type SiteAccess, siteAccessChoices } from '../../config.ts';
import type { ValueRule } from '../../platform/http/ajv.ts';
import { messageResponseSchema } from '../../platform/http/envelope.ts';
import {
  flagResponseField,
  lineField,
  nullableField,
  textField,
  timeField,
} from '../../platform/http/schema.ts';
import { dayStart } from '../../platform/http/time.ts';
import { Type } from '../../platform/schema/type.ts';
import { userFields } from '../identity/user-schema.ts';

const username = Type.Unsafe<string>({
  type: 'string',
  trims: 'blanks',
  minLength: 3,
  maxLength: 20,
  // A username must not consist of digits alone, which would look like the id of an account.
  pattern: '^(?![0-9]+$)[A-Za-z0-9_-]*$',
  patternMessage: 'May only contain the letters A to Z, digits, _ and -, and not only digits',
  description: 'Unique without regard to case; not only digits, which are an id',
  examples: ['ansel'],
});

export const emailField = Type.String({
  trims: 'blanks',
  format: 'email',
  maxLength: 254,
  description: 'Unique without regard to case',
  examples: ['ansel@example.org'],
});

export const newPasswordField = Type.String({ minLength: 6, maxLength: 128, examples: ['half dome 1927'] });
/** Schema of a password to check. The maximum length stops a client from making the server hash a megabyte. */
export const currentPasswordField = Type.String({
  minLength: 1,
  maxLength: 1024,
  examples: ['half dome 1927'],
});

export const sessionCookieField = Type.Optional(
  nullableField(
    Type.Boolean({
      description:
        'true: for pages of this gallery. The response sets the token as a cookie that scripts cannot ' +
        'read (`HttpOnly`, `SameSite=Lax`, and `Secure` over https)',
      examples: [false],
    }),
  ),
);

export const setupCodeField = Type.String({
  minLength: 1,
  maxLength: 100,
  description:
    'Code of the setup link, after `#`. The server prints the link at its start while the gallery ' +
    'has no admin',
});

export const siteAccessField = Type.Unsafe<SiteAccess>({
  type: 'string',
  enum: [...siteAccessChoices],
  description:
    'Only with `setup`: who can see the gallery. `members`: only people who are signed in. Without this field, and if ' +
    'the setting ACCESS is set, nothing changes',
});

export const inviteTokenField = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Token at the end of an invite link, `/join/…`',
});

export const RegistrationRequest = Type.Object(
  {
    username,
    email: emailField,
    password: newPasswordField,
    cookie: sessionCookieField,
    invite: Type.Optional(nullableField(inviteTokenField)),
    setup: Type.Optional(nullableField(setupCodeField)),
    access: Type.Optional(nullableField(siteAccessField)),
  },
  { title: 'Registration' },
);
export type RegistrationRequest = Static<typeof RegistrationRequest>;

export const Login = Type.Object(
  {
    username: Type.String({
      trims: 'blanks',
      minLength: 1,
      maxLength: 254,
      format: 'text',
      description: 'A username or an email',
      examples: ['ansel'],
    }),
    password: currentPasswordField,
    cookie: sessionCookieField,
  },
  { title: 'Login' },
);
export type Login = Static<typeof Login>;

/** Returns an error for a date in the future. The format of the field already refuses invalid dates. */
const notInTheFuture: ValueRule = (day: string, { clock }) =>
  dayStart(day) > clock() ? 'Must not be in the future' : undefined;

const birthday = Type.String({
  format: 'birthday',
  maxLength: 10,
  rule: notInTheFuture,
  description: 'YYYY-MM-DD, or "" if unset',
});

export const ProfileUpdate = Type.Object(
  {
    nickname: Type.Optional(nullableField(lineField(50, 'Display name, shown instead of the username'), '')),
    bio: Type.Optional(
      nullableField(textField(500, 'Short description of the user, written by the user'), ''),
    ),
    gender: Type.Optional(
      nullableField(
        Type.Unsafe<0 | 1 | 2>({
          type: 'integer',
          enum: [0, 1, 2],
          description: '0 unknown, 1 male, 2 female',
        }),
        0,
      ),
    ),
    birthday: Type.Optional(nullableField(birthday, '')),
    mobile: Type.Optional(nullableField(textField(20, 'Phone number'), '')),
  },
  { title: 'ProfileUpdate', examples: [{ nickname: 'Ansel', bio: 'Large format, small words.' }] },
);
export type ProfileUpdate = Static<typeof ProfileUpdate>;

export const PasswordChange = Type.Object(
  {
    old_password: currentPasswordField,
    new_password: newPasswordField,
    end_keys: Type.Optional(
      nullableField(
        Type.Boolean({
          description:
            'true: also deletes all API keys and passkeys, and the connection with the OpenID provider. ' +
            'Shares and webhooks that were created with them stay.',
        }),
      ),
    ),
  },
  { title: 'PasswordChange' },
);
export type PasswordChange = Static<typeof PasswordChange>;

export const PasswordChangeResponse = Type.Object(
  {
    ...messageResponseSchema.properties,
    data: Type.Optional(
      Type.Object(
        { api_keys: Type.Integer({ description: 'Number of API keys that stay valid', examples: [1] }) },
        { description: 'Left out if there are none' },
      ),
    ),
  },
  { title: 'PasswordChangeResult', description: 'Success' },
);

const { id, username: name, nickname, avatar } = userFields;
const shownEmail = Type.String({ examples: ['ansel@example.org'] });
export const SetupRequest = Type.Object(
  { setup: setupCodeField, access: Type.Optional(nullableField(siteAccessField)) },
  { title: 'Setup' },
);

const userBrief = { id, username: name, email: shownEmail, nickname, avatar };

const token = Type.Optional(
  Type.String({
    description: 'Send it as `Authorization: Bearer <token>`. Left out if `cookie` is true',
    examples: ['hm8Jq0c2mXl3v1nB5tYzR7wKpGdHsAiFbWtKcYvZuN4'],
  }),
);

export const RegistrationResponse = Type.Object(
  {
    user: Type.Object({ ...userBrief, create_time: timeField() }),
    token,
  },
  { title: 'Registered' },
);

export const LoginResponse = Type.Object(
  {
    user: Type.Object(userBrief),
    token,
    expires_in: Type.Integer({ description: 'Seconds', examples: [604800] }),
  },
  { title: 'LoggedIn' },
);

const bio = Type.String({ examples: ['Large format, small words.'] });

export const CurrentUser = Type.Object(
  {
    ...userBrief,
    bio,
    gender: Type.Integer({
      minimum: 0,
      maximum: 2,
      description: '0 unknown, 1 male, 2 female',
      examples: [0],
    }),
    birthday: Type.String({
      pattern: '^(\\d{4}-\\d{2}-\\d{2})?$',
      description: 'YYYY-MM-DD, "" if unset',
      examples: ['1902-02-20'],
    }),
    mobile: Type.String({ examples: [''] }),
    status: flagResponseField('1 enabled, 0 disabled'),
    is_admin: Type.Boolean(),
    has_password: Type.Boolean({
      description:
        'false: the account was created by an OpenID provider and no password has been set since. ' +
        'Until then, operations that need the password are refused, except deleting the account',
      examples: [true],
    }),
    email_confirmed: Type.Boolean({
      description:
        'Whether the user opened a link sent to the email, or the OpenID provider confirmed the ' +
        'email. The provider finds the account only by a confirmed email',
      examples: [false],
    }),
    create_time: timeField(),
    storage_used: Type.Integer({
      description:
        'Bytes of originals, edited versions and open uploads, plus 1,048,576 bytes for the ' +
        'thumbnails and sizes of each',
      examples: [1832947],
    }),
    quota_mb: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Storage quota in megabytes; null: no limit',
      examples: [5000],
    }),
    unread: Type.Integer({ description: 'Number of unread notifications' }),
    open_reports: Type.Integer({
      description: 'Number of open reports, at most 100; 0 for other users than admins',
    }),
    stats: Type.Object({
      photos: Type.Integer({ description: 'Number of own photos, without the trash' }),
      albums: Type.Integer({ description: 'Number of own albums' }),
      favorites: Type.Integer({
        description: "Number of the user's favorites that the user can still see",
      }),
      likes: Type.Integer({ description: "Number of likes on the user's photos" }),
    }),
  },
  { title: 'CurrentUser' },
);

export const UpdatedProfile = Type.Object(
  {
    id,
    nickname,
    bio,
  },
  { title: 'Profile' },
);

export const AvatarResponse = Type.Object({ avatar }, { title: 'Avatar' });

export const Session = Type.Object(
  {
    id: Type.Integer(),
    user_agent: Type.String({
      description: 'User agent of the client at sign-in',
      examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
    }),
    ip: Type.String({ description: 'Address of the client at sign-in', examples: ['203.0.113.7'] }),
    is_current: Type.Boolean({ description: 'Whether this is the session of the request' }),
    create_time: timeField('Sign-in time'),
    last_used_time: timeField('Last use of the session, accurate to 15 minutes'),
    expire_time: timeField('When the session expires'),
  },
  { title: 'Session' },
);
