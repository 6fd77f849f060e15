/** Inputs and outputs of the OpenID endpoints. */
import { Type } from '../../../platform/schema/type.ts';
import { givenPassword } from '../schema.ts';

export const Begin = Type.Object({
  to: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'A path of this gallery to go to afterwards; anything else is the home page',
      examples: ['/albums'],
    }),
  ),
});

export const AskLink = Type.Object({ password: givenPassword }, { title: 'OidcLinkRequest' });

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
