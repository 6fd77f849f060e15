/** Schemas for requests and responses of the OpenID routes. */
import { nullableField } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import { currentPasswordField, inviteTokenField, setupCodeField, siteAccessField } from '../schema.ts';

const returnPathField = Type.String({
  maxLength: 2000,
  description:
    'Path of this gallery to redirect to after the sign-in; any other value redirects to the home page',
  examples: ['/albums'],
});

export const BeginOidcQuery = Type.Object({ to: Type.Optional(returnPathField) });

/** Request that starts a sign-in with an invite or with the setup link. */
export const OidcLoginByLink = Type.Object(
  {
    to: Type.Optional(nullableField(returnPathField)),
    invite: Type.Optional(nullableField(inviteTokenField)),
    setup: Type.Optional(nullableField(setupCodeField)),
    access: Type.Optional(nullableField(siteAccessField)),
  },
  { title: 'OidcLoginByLink', examples: [{ invite: 'hm8Jq0c2mXl3v1nB5tYzR7wKpGdHsAiFbWtKcYvZuN4' }] },
);

/** Returns the schema of a parameter that providers add to the return URL. */
const providerTextField = (description: string) =>
  Type.Optional(Type.String({ maxLength: 4000, description }));

export const OidcCallbackQuery = Type.Object({
  code: providerTextField('Authorization code of the provider'),
  state: providerTextField('State that the gallery sent to the provider'),
  iss: providerTextField('Issuer of the code: the provider'),
  error: providerTextField('Error code of the provider, if there is no authorization code'),
  error_description: providerTextField('Description of the error'),
});

export const OidcLinkRequest = Type.Object({ password: currentPasswordField }, { title: 'OidcLinkRequest' });

export const OidcLinkStatus = Type.Object({ is_linked: Type.Boolean() }, { title: 'OidcLink' });
export const OidcLinkUrl = Type.Object(
  {
    url: Type.String({
      description: 'Authorization URL of the provider',
      examples: ['https://id.example.org/auth?client_id=…'],
    }),
  },
  { title: 'OidcLinkUrl' },
);
