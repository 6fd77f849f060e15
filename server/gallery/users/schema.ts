/** Schemas of the requests and responses of the user routes. */

import type { Static } from 'typebox';
import { paginatedQuery } from '../../platform/http/pagination.ts';
import { textField, timeField, wantedStateField } from '../../platform/http/schema.ts';
import { Type } from '../../platform/schema/type.ts';
import { AlbumListQuery as AlbumsQuery } from '../albums/schema.ts';
import { User, userFields } from '../identity/user-schema.ts';
import { PhotoListQuery } from '../photos/schema.ts';

/** Id or username of a user. The first version allowed usernames of digits only, so digits are tried as an id first. */
export const UserParams = Type.Object({
  id: Type.Unsafe<string>({
    type: 'string',
    minLength: 1,
    maxLength: 20,
    pattern: '^[A-Za-z0-9_-]*$',
    patternMessage: 'Must be an id or a username',
    description: 'Id or username of the user; digits are an id if there is such a user',
    examples: ['ansel'],
  }),
});

export const UserSearchQuery = paginatedQuery({
  keyword: Type.Optional(textField(50, 'Substring of username or nickname, without regard to case')),
});

export const UserPageQuery = paginatedQuery({});

export const FavoritesQuery = paginatedQuery({ q: PhotoListQuery.properties.q });

/**
 * Filters for the photos and albums of one user. The filters are those of `/api/photos` and `/api/albums` without
 * `user_id`, which the path gives.
 */
const { user_id: _, ...photoFilters } = PhotoListQuery.properties;
export const UserPhotosQuery = Type.Object(photoFilters);

const { user_id: __, ...albumFilters } = AlbumsQuery.properties;
export const UserAlbumsQuery = Type.Object(albumFilters);

export { User };

const isFollowing = Type.Boolean({ description: 'Whether the caller follows this user' });

export const FollowedUser = Type.Object(
  { ...userFields, is_following: isFollowing },
  { title: 'FollowedUser' },
);
export type FollowedUser = Static<typeof FollowedUser>;

const countField = (description: string) => Type.Integer({ minimum: 0, description });

export const UserProfile = Type.Object(
  {
    ...userFields,
    bio: Type.String({ examples: ['Large format, small words.'] }),
    create_time: timeField(),
    is_following: isFollowing,
    is_followed: Type.Boolean({ description: 'Whether this user follows the caller' }),
    stats: Type.Object({
      photos: countField('Number of photos that the caller can see'),
      albums: countField('Number of albums that the caller can see'),
      likes: countField('Number of likes on photos that the caller can see'),
      followers: countField('Number of users who follow this user'),
      following: countField('Number of users whom this user follows'),
    }),
  },
  { title: 'UserHome' },
);

export const SetFollowRequest = Type.Object({ following: wantedStateField }, { title: 'SetFollow' });

export const FollowResponse = Type.Object(
  {
    is_following: Type.Boolean(),
    followers: countField('Number of users who now follow this user'),
  },
  { title: 'Follow' },
);
