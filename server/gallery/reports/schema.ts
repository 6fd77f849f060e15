/** Schemas of the requests and responses of reports. */

import type { Static } from 'typebox';
import type { ReportsTable } from '../../platform/db/tables.ts';
import { choiceField, idField, nullableField, textField } from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';

type TargetType = ReportsTable['target_type'];
const targetTypes: TargetType[] = ['photo', 'comment', 'user'];
const reportReasons = ['spam', 'nsfw', 'copyright', 'abuse', 'other'] as const;

export const NewReport = Type.Object(
  {
    target_type: choiceField(targetTypes, { title: 'ReportTargetType' }),
    target_id: idField('photo, comment or user'),
    reason: choiceField(reportReasons, { title: 'ReportReason' }),
    content: Type.Optional(nullableField(textField(1000, "Details in the reporter's words"))),
  },
  {
    title: 'NewReport',
    examples: [{ target_type: 'comment', target_id: 12, reason: 'spam', content: 'Sells sunglasses.' }],
  },
);
export type NewReport = Static<typeof NewReport>;

export const CreatedReport = Type.Object(
  { id: Type.Integer({ description: 'Id of the report' }) },
  { title: 'CreatedReport' },
);
