/** Queries and changes of a photo's comments. Each page of comments includes the first replies. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { ApiError, callApi } from '../api/client.ts';
import type { Comment, PagedResponse, Reply } from '../api/types.ts';
import { patchCachedPhoto, photoQuery } from '../photos/queries.ts';
import { describeError } from '../ui/error-notice.tsx';
import { showFailure } from '../ui/show-failure.ts';

type CommentPage = PagedResponse<Comment>;

const pageSize = 20;
const commentNotFound = 40001;
/** Replies are loaded by the hundred, so that most threads need one request. */
const replySize = 100;
/** Cached comments count as fresh for this many milliseconds; other people write comments too. */
const freshMs = 30_000;

export const commentsQuery = (photo: number) =>
  infiniteQueryOptions({
    queryKey: ['comments', photo],
    queryFn: ({ pageParam: page, signal }) =>
      callApi<CommentPage>('GET', `/api/photos/${photo}/comments`, {
        query: { page, limit: pageSize },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, pages } }) => (page < pages ? page + 1 : undefined),
    staleTime: freshMs,
  });

/**
 * Lists each comment once: new comments push older ones to the next page, where a comment may appear again.
 */
export function listCommentThreads(data: InfiniteData<CommentPage> | undefined): Comment[] {
  const all = data?.pages.flatMap(({ list }) => list) ?? [];
  return [...new Map(all.map((comment) => [comment.id, comment])).values()];
}

export interface CommentDraft {
  content: string;
  /** The comment or reply that the draft replies to. */
  answers: Reply | undefined;
}

export function useWriteComment(photo: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ content, answers }: CommentDraft) =>
      callApi<Comment>('POST', `/api/photos/${photo}/comments`, {
        body: { content, ...(answers && { parent_id: answers.id }) },
      }),
    onError: (error) => refetchIfMissing(client, photo, error),
    onSuccess: (comment) => {
      patchThreads(client, photo, (threads) => addComment(threads, comment));
      changeCommentCount(client, photo, 1);
    },
  });
}

function addComment(threads: Comment[], { replies: _, ...comment }: Comment): Comment[] {
  if (comment.parent_id === null) return [{ ...comment, replies: [] }, ...threads];
  return threads.map((thread) =>
    thread.id === comment.parent_id
      ? { ...thread, reply_count: thread.reply_count + 1, replies: [...thread.replies, comment] }
      : thread,
  );
}

/** Loads the next replies of a comment. */
export function useMoreReplies(photo: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, replies }: Comment) =>
      callApi<PagedResponse<Reply>>('GET', `/api/comments/${id}/replies`, {
        query: { page: Math.floor(replies.length / replySize) + 1, limit: replySize },
        urgency: 'act',
      }),
    onSuccess: ({ list, pagination }, { id }) =>
      patchThreads(client, photo, (threads) =>
        threads.map((thread) => {
          if (thread.id !== id) return thread;
          const replies = [...new Map([...thread.replies, ...list].map((one) => [one.id, one])).values()];
          return { ...thread, reply_count: pagination.total, replies: replies.sort((a, b) => a.id - b.id) };
        }),
      ),
  });
}

/** Changes the text of the user's own comment. */
export function useUpdateComment(photo: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, content }: Pick<Reply, 'id' | 'content'>) =>
      callApi<unknown>('PUT', `/api/comments/${id}`, { body: { content } }),
    onSuccess: (_, { id, content }) => patchComment(client, photo, id, (one) => ({ ...one, content })),
    onError: (error) => refetchIfMissing(client, photo, error),
  });
}

/** Deletes a comment together with its replies. */
export function useDeleteComment(photo: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Reply) => callApi<unknown>('DELETE', `/api/comments/${id}`),
    onError: (error) => refetchIfMissing(client, photo, error),
    onSuccess: (_, { id, parent_id, reply_count }) => {
      patchThreads(client, photo, (threads) =>
        threads
          .filter((thread) => thread.id !== id)
          .map((thread) =>
            thread.id === parent_id
              ? {
                  ...thread,
                  reply_count: thread.reply_count - 1,
                  replies: thread.replies.filter((reply) => reply.id !== id),
                }
              : thread,
          ),
      );
      changeCommentCount(client, photo, -1 - reply_count);
    },
  });
}

interface LikeChange {
  id: number;
  isLiked: boolean;
}

/** Shows the like at once, and reverts the display if the request fails. */
export function useLikeComment(photo: number) {
  const client = useQueryClient();
  const showLike = ({ id, isLiked }: LikeChange) =>
    patchComment(client, photo, id, (comment) => setLiked(comment, isLiked));
  const mutation = useMutation({
    scope: { id: 'reactions' },
    mutationFn: ({ id, isLiked }: LikeChange) =>
      callApi<unknown>('POST', `/api/comments/${id}/like`, { body: { liked: isLiked } }),
    onMutate: showLike,
    onError: (error, given) => {
      showLike({ ...given, isLiked: !given.isLiked });
      if (!refetchIfMissing(client, photo, error)) showFailure(error, () => mutation.mutate(given));
    },
  });
  return mutation;
}

/** Reloads the comments and their number if the error says that the comment was deleted elsewhere. */
function refetchIfMissing(client: QueryClient, photo: number, error: Error): boolean {
  const isGone = error instanceof ApiError && error.code === commentNotFound;
  if (!isGone) return false;
  void client.invalidateQueries(commentsQuery(photo));
  void client.invalidateQueries(photoQuery(photo));
  void import('../ui/toast.tsx').then(({ showToast }) =>
    showToast({ text: describeError(error), isError: true }),
  );
  return true;
}

/** Changes a cached comment or reply in place. */
function patchComment(
  client: QueryClient,
  photo: number,
  id: number,
  patch: <Shown extends Reply>(comment: Shown) => Shown,
): void {
  const patchMatching = <Shown extends Reply>(comment: Shown) =>
    comment.id === id ? patch(comment) : comment;
  patchThreads(client, photo, (threads) =>
    threads.map((thread) => ({ ...patchMatching(thread), replies: thread.replies.map(patchMatching) })),
  );
}

function setLiked<Shown extends Reply>(comment: Shown, isLiked: boolean): Shown {
  if (comment.is_liked === isLiked) return comment;
  return { ...comment, is_liked: isLiked, likes: comment.likes + (isLiked ? 1 : -1) };
}

const emptyPages: InfiniteData<CommentPage, number> = {
  pages: [{ list: [], pagination: { page: 1, limit: pageSize, total: 0, pages: 1 } }],
  pageParams: [1],
};

/** Changes cached comments. New comments go to the first page, even if no comments were loaded before. */
function patchThreads(client: QueryClient, photo: number, patch: (threads: Comment[]) => Comment[]): void {
  client.setQueryData(commentsQuery(photo).queryKey, (data = emptyPages) => {
    const known = new Set(listCommentThreads(data).map(({ id }) => id));
    const patched = new Map(patch(listCommentThreads(data)).map((thread) => [thread.id, thread]));
    const added = [...patched.values()].filter(({ id }) => !known.has(id));
    const pages = data.pages.map((page) => ({
      ...page,
      list: page.list.flatMap(({ id }) => patched.get(id) ?? []),
    }));
    return { ...data, pages: [{ ...pages[0]!, list: [...added, ...pages[0]!.list] }, ...pages.slice(1)] };
  });
}

function changeCommentCount(client: QueryClient, photo: number, step: number): void {
  patchCachedPhoto(client, photo, (shown) => ({ ...shown, comments: Math.max(0, shown.comments + step) }));
}
