/**
 * Fields for the level of a photo or an album. Requests name the level by `visibility`, or by `is_public`, which the
 * contract has. Responses have both.
 */
import { Level, type LevelName, type VisibilityOutsideTrash } from '../../platform/db/states.ts';
import type { ValueRule } from '../../platform/http/ajv.ts';
import { choiceField, flagField, flagResponseField } from '../../platform/http/schema.ts';
import { getLevelForVisibility, levelName, toPublicFlag } from './visibility-rule.ts';

export const levelNames: LevelName[] = ['private', 'members', 'public'];

export const visibilityField = choiceField(levelNames, {
  title: 'Visibility',
  description:
    'Who can see it at most: `private` (the owner), `members` (everyone who is signed in) or `public` ' +
    '(everyone). Albums above can narrow this',
});

export const isPublicField = flagField(
  '1: `public`. 0: `private`; a level `members` stays. Give `visibility` instead to choose among three levels',
);

export const levelResponseFields = {
  visibility: visibilityField,
  is_public: flagResponseField('1 if `visibility` is `public`, otherwise 0'),
  effective_visibility: choiceField(levelNames, {
    title: 'EffectiveVisibility',
    description: 'The narrowest of `visibility` and the levels of the albums above',
  }),
};

/** Level in a request. At most one of the fields is needed. */
export interface LevelRequestFields {
  visibility?: LevelName | undefined;
  is_public?: 0 | 1 | undefined;
}

/** Rule for requests: the two fields must not contradict each other. */
export const refuseContradictoryLevels: ValueRule = ({ visibility, is_public }: Record<string, unknown>) => {
  if (visibility === undefined || (is_public !== 0 && is_public !== 1)) return undefined;
  if ((visibility === 'public') === (is_public === 1)) return undefined;
  return { visibility: 'Contradicts is_public', is_public: 'Contradicts visibility' };
};

/**
 * Returns the level that a request names, or undefined if the level stays. `is_public: 0` leaves the level `members` as
 * it is, so that a client that writes back the fields that it read changes nothing.
 */
export function readRequestedLevel(
  { visibility, is_public }: LevelRequestFields,
  current?: Level,
): Level | undefined {
  if (visibility !== undefined) return Level[visibility];
  if (is_public === undefined) return undefined;
  if (is_public === 1) return Level.public;
  return current === Level.members ? undefined : Level.private;
}

/** Returns the fields of a response. `visibility` is the visibility at this moment. */
export function presentLevel(level: Level, visibility: VisibilityOutsideTrash) {
  return {
    visibility: levelName(level),
    is_public: toPublicFlag(level),
    effective_visibility: levelName(getLevelForVisibility(visibility)),
  };
}
