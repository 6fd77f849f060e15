/** Schemas for requests and responses of the account routes. */
import type { Static } from 'typebox';
import type { Rule } from '../../platform/http/ajv.ts';
import { messageAnswer } from '../../platform/http/envelope.ts';
import { flagAnswer, orNull, textField, timeField } from '../../platform/http/schema.ts';
import { dayStart } from '../../platform/http/time.ts';
import { Type } from '../../platform/schema/type.ts';
import { userFields } from '../identity/user-schema.ts';

const username = Type.Unsafe<string>({
  type: 'string',
  minLength: 3,
  maxLength: 20,
  // A username must not consist of digits alone, which would look like the id of an account.
  pattern: '^(?![0-9]+$)[A-Za-z0-9_-]*$',
  patternMessage: 'may only contain letters, digits, _ and -, and not digits alone',
  description: 'Unique without regard to case; not digits alone, which are an id',
  examples: ['ansel'],
});

export const email = Type.String({
  format: 'email',
  maxLength: 254,
  description: 'Unique without regard to case',
  examples: ['ansel@example.org'],
});

export const newPassword = Type.String({ minLength: 6, maxLength: 128, examples: ['half dome 1927'] });
/** Schema of a password to check. The maximum length stops a client from making the server hash a megabyte. */
export const currentPassword = Type.String({ minLength: 1, maxLength: 1024, examples: ['half dome 1927'] });

export const cookie = Type.Optional(
  orNull(
    Type.Boolean({
      description:
        'true: for a page of this gallery. The token comes as a cookie that scripts cannot read (`HttpOnly`, ' +
        '`SameSite=Lax`, over https `Secure`) instead of in the answer',
      examples: [false],
    }),
  ),
);

export const setup = Type.String({
  minLength: 1,
  maxLength: 100,
  description:
    'The code of the one-time link that a start prints while the gallery has no admin: what stands after its `#`',
});

export const invite = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What stands at the end of an invite link, `/join/…`',
});

export const Register = Type.Object(
  {
    username,
    email,
    password: newPassword,
    cookie,
    invite: Type.Optional(orNull(invite)),
    setup: Type.Optional(orNull(setup)),
  },
  { title: 'Registration' },
);
export type Register = Static<typeof Register>;

export const Login = Type.Object(
  {
    username: Type.String({
      minLength: 1,
      maxLength: 254,
      format: 'text',
      description: 'A username or an email',
      examples: ['ansel'],
    }),
    password: currentPassword,
    cookie,
  },
  { title: 'Login' },
);
export type Login = Static<typeof Login>;

/** Returns an error for a date in the future. The format of the field already refuses invalid dates. */
const notInTheFuture: Rule = (day: string, { clock }) =>
  dayStart(day) > clock() ? 'must not lie in the future' : undefined;

const birthday = Type.String({
  format: 'birthday',
  maxLength: 10,
  rule: notInTheFuture,
  description: 'YYYY-MM-DD, or "" for unset',
});

export const Profile = Type.Object(
  {
    nickname: Type.Optional(orNull(textField(50, 'Shown instead of the username'), '')),
    bio: Type.Optional(orNull(textField(500, 'Short self-description'), '')),
    gender: Type.Optional(
      orNull(
        Type.Unsafe<0 | 1 | 2>({
          type: 'integer',
          enum: [0, 1, 2],
          description: '0 unknown, 1 male, 2 female',
        }),
        0,
      ),
    ),
    birthday: Type.Optional(orNull(birthday, '')),
    mobile: Type.Optional(orNull(textField(20, 'Telephone number'), '')),
  },
  { title: 'ProfileUpdate', examples: [{ nickname: 'Ansel', bio: 'Large format, small words.' }] },
);
export type Profile = Static<typeof Profile>;

export const ChangePassword = Type.Object(
  {
    old_password: currentPassword,
    new_password: newPassword,
    end_keys: Type.Optional(
      orNull(
        Type.Boolean({
          description:
            'true: ends all API keys, passkeys and the tie to the OpenID provider, too. Shares and webhooks that were made with them stay.',
        }),
      ),
    ),
  },
  { title: 'PasswordChange' },
);
export type ChangePassword = Static<typeof ChangePassword>;

export const PasswordChanged = Type.Object(
  {
    ...messageAnswer.properties,
    data: Type.Optional(
      Type.Object(
        { api_keys: Type.Integer({ description: 'API keys that stay valid', examples: [1] }) },
        { description: 'Left out where there are none' },
      ),
    ),
  },
  { title: 'PasswordChangeResult', description: 'Success' },
);

const { id, username: name, nickname, avatar } = userFields;
const shownEmail = Type.String({ examples: ['ansel@example.org'] });
export const Setup = Type.Object({ setup }, { title: 'Setup' });

const userBrief = { id, username: name, email: shownEmail, nickname, avatar };

const token = Type.Optional(
  Type.String({
    description: 'Send it as `Authorization: Bearer <token>`. Left out where `cookie` is true',
    examples: ['hm8Jq0c2mXl3v1nB5tYzR7wKpGdHsAiFbWtKcYvZuN4'],
  }),
);

export const Registered = Type.Object(
  {
    user: Type.Object({ ...userBrief, create_time: timeField() }),
    token,
  },
  { title: 'Registered' },
);

export const LoggedIn = Type.Object(
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
      description: 'YYYY-MM-DD, "" when unset',
      examples: ['1902-02-20'],
    }),
    mobile: Type.String({ examples: [''] }),
    status: flagAnswer('1 normal, 0 disabled'),
    is_admin: Type.Boolean(),
    has_password: Type.Boolean({
      description:
        'false: the account was made by an OpenID provider, and no password was chosen since. What asks for the ' +
        'password is refused until then, but for deleting the account',
      examples: [true],
    }),
    email_confirmed: Type.Boolean({
      description:
        'Whether a link that was sent to the email was opened, or the OpenID provider said so. Only then the provider ' +
        'finds the account by it',
      examples: [false],
    }),
    create_time: timeField(),
    storage_used: Type.Integer({
      description:
        'Bytes of originals, edited versions and open uploads, each with 1,048,576 bytes for its thumbnails and sizes',
      examples: [1832947],
    }),
    quota_mb: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Megabytes that may be stored; null: no limit',
      examples: [5000],
    }),
    unread: Type.Integer({ description: 'Unread notifications' }),
    stats: Type.Object({
      photos: Type.Integer({ description: 'Own photos, the trash not counted' }),
      albums: Type.Integer({ description: 'Own albums' }),
      favorites: Type.Integer({
        description: 'Photos that the user has marked as favorites and may still see',
      }),
      likes: Type.Integer({ description: "Likes that the user's photos have received" }),
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

export const NewAvatar = Type.Object({ avatar }, { title: 'Avatar' });

export const Session = Type.Object(
  {
    id: Type.Integer(),
    user_agent: Type.String({
      description: 'What the client called itself when it signed in',
      examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
    }),
    ip: Type.String({ description: 'Where it signed in from', examples: ['203.0.113.7'] }),
    is_current: Type.Boolean({ description: 'Whether this request was made in it' }),
    create_time: timeField('Signed in'),
    last_used_time: timeField('Last used, to a quarter of an hour'),
    expire_time: timeField('When it expires'),
  },
  { title: 'Session' },
);
