/** Schemas of the settings of the gallery, which admins read and change. */
import type { Static } from 'typebox';
import { choiceField, lineField, textField } from '../../platform/http/schema.ts';
import { colorPattern } from '../../platform/schema/color.ts';
import { Type } from '../../platform/schema/type.ts';
import { visibilityField } from '../library/level-fields.ts';
import { accessField, registrationField } from './schema.ts';

const maxNameLength = 100;
const maxWelcomeLength = 1000;

const overridable = ['name', 'access', 'registration', 'default_visibility', 'default_quota_mb'] as const;

const quota = {
  type: ['integer', 'null'],
  minimum: 0,
  description: 'Storage quota of a new account in megabytes (1,048,576 bytes); null: no limit',
  examples: [5000],
};

const settings = {
  name: lineField(maxNameLength, 'Name of the gallery on pages and in mails; empty: Lightwell'),
  welcome: textField(
    maxWelcomeLength,
    'Text for visitors, on the sign-in page and above the public photos; empty: none',
  ),
  access: accessField,
  registration: registrationField,
  /** Level of uploads and albums whose request names none. */
  default_visibility: visibilityField,
  accent_color: Type.String({
    pattern: `${colorPattern}|^$`,
    description:
      'Color of links and main buttons, `#rrggbb`. White text on the color needs a contrast of 4.5. Dark pages ' +
      'get a lighter shade of the color. Empty: the standard color',
    examples: ['#0b5d57'],
  }),
};

export const SiteSettings = Type.Object(
  {
    ...settings,
    default_quota_mb: Type.Unsafe<number | null>(quota),
    logo: Type.String({
      description: 'Path of the logo; empty: none',
      examples: ['/logo-8d969eef6ecad3c2.webp'],
    }),
    set_by_environment: Type.Array(choiceField(overridable), {
      description: 'Settings that an environment variable decides and that cannot be changed here',
    }),
    public_photos: Type.Integer({
      description: 'Number of photos that anyone sees while `access` is `public`',
    }),
  },
  { title: 'SiteSettings' },
);
export type SiteSettingsAnswer = Static<typeof SiteSettings>;

export const SiteSettingsUpdate = Type.Object(
  {
    ...(Object.fromEntries(
      Object.entries(settings).map(([name, schema]) => [name, Type.Optional(schema)]),
    ) as { [Name in keyof typeof settings]: ReturnType<typeof Type.Optional<(typeof settings)[Name]>> }),
    default_quota_mb: Type.Optional(Type.Unsafe<number | null>({ ...quota, maximum: 1_000_000_000 })),
    confirm_opening: Type.Optional(
      Type.Boolean({
        description: 'Must be true if `access` changes to `public`, because anyone then sees photos',
      }),
    ),
  },
  { title: 'SiteSettingsUpdate', examples: [{ name: 'The Smiths', registration: 'invite' }] },
);
export type SiteSettingsUpdate = Static<typeof SiteSettingsUpdate>;
