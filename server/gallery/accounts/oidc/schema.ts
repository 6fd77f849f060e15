/** Schemas for requests and responses of the OpenID routes. */
import { orNull } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import { currentPassword, invite, setup } from '../schema.ts';

const to = Type.String({
  maxLength: 2000,
  description: 'A path of this gallery to go to afterwards; anything else is the home page',
  examples: ['/albums'],
});

export const Begin = Type.Object({ to: Type.Optional(to) });

/** Request that starts a sign-in with an invite or with the setup link. */
export const BeginByLink = Type.Object(
  {
    to: Type.Optional(orNull(to)),
    invite: Type.Optional(orNull(invite)),
    setup: Type.Optional(orNull(setup)),
  },
  { title: 'OidcLoginByLink', examples: [{ invite: 'hm8Jq0c2mXl3v1nB5tYzR7wKpGdHsAiFbWtKcYvZuN4' }] },
);

/** Returns the schema of a parameter that providers add to the return URL. */
const said = (description: string) => Type.Optional(Type.String({ maxLength: 4000, description }));

export const Callback = Type.Object({
  code: said('What the provider gives tokens for'),
  state: said('As the gallery sent it'),
  iss: said('The provider'),
  error: said('Why there is no code'),
  error_description: said('The same in words'),
});

export const AskLink = Type.Object({ password: currentPassword }, { title: 'OidcLinkRequest' });

export const Link = Type.Object({ is_linked: Type.Boolean() }, { title: 'OidcLink' });
export const LinkUrl = Type.Object(
  {
    url: Type.String({
      description: 'Of the provider',
      examples: ['https://id.example.org/auth?client_id=…'],
    }),
  },
  { title: 'OidcLinkUrl' },
);
