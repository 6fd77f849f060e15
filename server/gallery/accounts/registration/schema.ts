/** Schemas for requests and responses about invites. */
import type { Static } from 'typebox';
import { orNull, timeField } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import { email } from '../schema.ts';

export const NewInvite = Type.Object(
  {
    email: Type.Optional(orNull({ ...email, description: 'The only address that may join; null: any' })),
    expires: Type.Optional(
      orNull(
        Type.Integer({ minimum: 1, maximum: 365, description: 'Days from now; 7 where it is left out' }),
      ),
    ),
    uses: Type.Optional(
      orNull(
        Type.Integer({
          minimum: 1,
          maximum: 1000,
          description: 'Accounts it is good for; 1 where it is left out',
        }),
      ),
    ),
  },
  { title: 'NewInvite', examples: [{ expires: 7, uses: 5 }] },
);
export type NewInvite = Static<typeof NewInvite>;

const fields = {
  id: Type.Integer(),
  email: Type.String({ description: '"" for any', examples: ['dorothea@example.org'] }),
  uses: Type.Integer({ description: 'Accounts it is good for', examples: [5] }),
  used: Type.Integer({ description: 'Accounts that were made by it', examples: [2] }),
  made_by: Type.String({
    description: 'Username of the admin; "" for the command line, or an account that is gone',
    examples: ['ansel'],
  }),
  create_time: timeField(),
  expire_time: timeField('When it ends'),
};

export const Invite = Type.Object(fields, { title: 'Invite' });

export const CreatedInviteResponse = Type.Object(
  {
    ...fields,
    url: Type.String({
      description: 'The link to hand on. It is told here alone',
      examples: ['https://photos.example.org/join/hm8Jq0c2mXl3v1nB5tYzR7wKpGdHsAiFbWtKcYvZuN4'],
    }),
    token: Type.String({
      description: 'What stands at its end: `invite` of a registration',
      examples: ['hm8Jq0c2mXl3v1nB5tYzR7wKpGdHsAiFbWtKcYvZuN4'],
    }),
  },
  { title: 'NewInviteResult' },
);
