/** Schemas for requests and responses about invites. */
import type { Static } from 'typebox';
import { nullableField, timeField } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import { emailField } from '../schema.ts';

export const NewInvite = Type.Object(
  {
    email: Type.Optional(
      nullableField({
        ...emailField,
        description: 'The only email that can register with the invite; null: any email',
      }),
    ),
    expires: Type.Optional(
      nullableField(
        Type.Integer({ minimum: 1, maximum: 365, description: 'Days until the invite expires; default 7' }),
      ),
    ),
    uses: Type.Optional(
      nullableField(
        Type.Integer({
          minimum: 1,
          maximum: 1000,
          description: 'Number of accounts that can register with the invite; default 1',
        }),
      ),
    ),
  },
  { title: 'NewInvite', examples: [{ expires: 7, uses: 5 }] },
);
export type NewInvite = Static<typeof NewInvite>;

const inviteFields = {
  id: Type.Integer(),
  email: Type.String({
    description: 'Email that can register with the invite; "" for any',
    examples: ['dorothea@example.org'],
  }),
  uses: Type.Integer({ description: 'Number of accounts that can register with the invite', examples: [5] }),
  used: Type.Integer({
    description: 'Number of accounts that have registered with the invite',
    examples: [2],
  }),
  made_by: Type.String({
    description: 'Username of the admin who created the invite; "" for the command line or a deleted account',
    examples: ['ansel'],
  }),
  create_time: timeField(),
  expire_time: timeField('When the invite expires'),
};

export const Invite = Type.Object(inviteFields, { title: 'Invite' });

export const CreatedInviteResponse = Type.Object(
  {
    ...inviteFields,
    url: Type.String({
      description: 'The invite link to send. Only this response contains it',
      examples: ['https://photos.example.org/join/hm8Jq0c2mXl3v1nB5tYzR7wKpGdHsAiFbWtKcYvZuN4'],
    }),
    token: Type.String({
      description: 'The token at the end of the link: `invite` of a registration',
      examples: ['hm8Jq0c2mXl3v1nB5tYzR7wKpGdHsAiFbWtKcYvZuN4'],
    }),
  },
  { title: 'NewInviteResult' },
);
