/** Schemas for requests and responses of the moderation routes. */
import type { Static } from 'typebox';
import { paginatedQuery } from '../../../platform/http/pagination.ts';
import {
  choiceField,
  idField,
  nullableField,
  textField,
  timeField,
  timeOrEmptyField,
} from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/schema/type.ts';
import { Reply } from '../../comments/schema.ts';
import { User } from '../../identity/user-schema.ts';
import { reportActions } from '../../moderation/reports.ts';
import { PhotoItem } from '../../photos/schema.ts';

const reported = Type.Unsafe<1>({
  type: 'integer',
  enum: [1],
  description: '1: only reported photos or comments, those with the most open reports first',
});

export const AdminPhotosQuery = paginatedQuery({
  keyword: Type.Optional(textField(100, 'Substring of title, description or a tag')),
  user_id: Type.Optional(idField('owner')),
  reported: Type.Optional(reported),
});
export type AdminPhotosQuery = Static<typeof AdminPhotosQuery>;

export const AdminCommentsQuery = paginatedQuery({
  keyword: Type.Optional(textField(100, 'Substring of the comment, without regard to case')),
  user_id: Type.Optional(idField('author')),
  reported: Type.Optional(reported),
});
export type AdminCommentsQuery = Static<typeof AdminCommentsQuery>;

const reports = Type.Integer({
  minimum: 0,
  description: 'Number of open reports about the photo or comment',
});

export const AdminPhoto = Type.Object(
  {
    ...PhotoItem.properties,
    reports,
  },
  { title: 'AdminPhoto' },
);

const { is_liked: _, ...reply } = Reply.properties;
export const AdminComment = Type.Object({ ...reply, reports }, { title: 'AdminComment' });
export type AdminComment = Static<typeof AdminComment>;

const reportStatuses = ['open', 'handled'] as const;

export const ReportsQuery = paginatedQuery({
  status: Type.Optional(
    choiceField(reportStatuses, { description: 'Status of the reports; left out: both' }),
  ),
});
export type ReportsQuery = Static<typeof ReportsQuery>;

const reportTarget = {
  type: ['object', 'null'],
  title: 'ReportTarget',
  description: 'Reported target; null if it was deleted or is in the trash',
  required: ['title', 'thumb', 'photo_id', 'user'],
  properties: {
    title: { type: 'string', description: 'Title of the photo, text of the comment, or username' },
    thumb: { type: 'string', description: 'Thumbnail of a photo; "" otherwise' },
    photo_id: {
      type: ['integer', 'null'],
      description: 'The reported photo, or the photo of the reported comment',
    },
    user: { ...User, description: 'Owner of the photo, author of the comment, or the user' },
  },
};

export interface ReportTarget {
  title: string;
  thumb: string;
  photo_id: number | null;
  user: Static<typeof User>;
}

export const Report = Type.Object(
  {
    id: Type.Integer(),
    target_type: Type.String({ description: 'photo, comment or user', examples: ['comment'] }),
    target_id: Type.Integer(),
    target: Type.Unsafe<ReportTarget | null>(reportTarget),
    reason: Type.String({ examples: ['spam'] }),
    content: Type.String({ description: 'Text of the reporter', examples: ['Sells sunglasses.'] }),
    user: User,
    open_reports: Type.Integer({
      description: 'Number of open reports about the same target, including this one',
    }),
    status: Type.String({ description: 'open or handled', examples: ['open'] }),
    action: Type.String({
      description: 'Action of the admin: dismiss, delete or disable_user; "" while open',
      examples: [''],
    }),
    note: Type.String({ description: 'Note of the admin', examples: [''] }),
    handler: Type.String({
      description: 'Username of the admin at that time; "" while open, or if the owner deleted the target',
      examples: [''],
    }),
    handled_time: timeOrEmptyField('When the report was handled', 'while open'),
    create_time: timeField(),
  },
  { title: 'Report' },
);
export type Report = Static<typeof Report>;

export const ReportHandling = Type.Object(
  {
    action: choiceField(reportActions, {
      description:
        '`dismiss`: does nothing. `delete`: moves the photo to the trash, or deletes the comment or ' +
        'the account. `disable_user`: disables the owner of the photo, the author of the comment, or ' +
        'the user',
    }),
    note: Type.Optional(nullableField(textField(500, 'Reason, shown to other admins'))),
  },
  { title: 'ReportHandling', examples: [{ action: 'delete', note: 'Advertising' }] },
);
export type ReportHandling = Static<typeof ReportHandling>;

export const HandledReports = Type.Object(
  {
    reports: Type.Array(Type.Integer(), { description: 'Ids of all reports that this request handled' }),
  },
  { title: 'HandledReports' },
);
