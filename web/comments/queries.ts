/** The comments of a photo, a page at a time, and what one does with them. Each has its first replies with it. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { ApiError, call } from '../api/client.ts';
import type { Comment, Paged, Reply } from '../api/types.ts';
import { patchPhoto, photoOf } from '../photos/queries.ts';
import { tellFailure } from '../ui/tell.ts';
import { textOf } from '../ui/trouble.tsx';

type CommentPage = Paged<Comment>;

const pageSize = 20;
const commentNotFound = 40001;
/** Replies are asked for by the hundred: most threads are then whole. */
const replySize = 100;
/** Others write, too: so long they are shown as they were. */
const freshMs = 30_000;

export const commentsOf = (photo: number) =>
  infiniteQueryOptions({
    queryKey: ['comments', photo],
    queryFn: ({ pageParam: page, signal }) =>
      call<CommentPage>('GET', `/api/photos/${photo}/comments`, { query: { page, limit: pageSize }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, pages } }) => (page < pages ? page + 1 : undefined),
    staleTime: freshMs,
  });

/** What is written while one turns pages moves comments from one to the next: each is shown once. */
export function threadsOf(data: InfiniteData<CommentPage> | undefined): Comment[] {
  const all = data?.pages.flatMap(({ list }) => list) ?? [];
  return [...new Map(all.map((comment) => [comment.id, comment])).values()];
}

export interface Written {
  content: string;
  /** The comment or reply that it answers. */
  answers: Reply | undefined;
}

export function useWriteComment(photo: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ content, answers }: Written) =>
      call<Comment>('POST', `/api/photos/${photo}/comments`, {
        body: { content, ...(answers && { parent_id: answers.id }) },
      }),
    onError: (error) => forgetIfGone(client, photo, error),
    onSuccess: (comment) => {
      patchThreads(client, photo, (threads) => withComment(threads, comment));
      countComments(client, photo, 1);
    },
  });
}

function withComment(threads: Comment[], { replies: _, ...comment }: Comment): Comment[] {
  if (comment.parent_id === null) return [{ ...comment, replies: [] }, ...threads];
  return threads.map((thread) =>
    thread.id === comment.parent_id
      ? { ...thread, reply_count: thread.reply_count + 1, replies: [...thread.replies, comment] }
      : thread,
  );
}

/** The replies after those that are here. */
export function useMoreReplies(photo: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, replies }: Comment) =>
      call<Paged<Reply>>('GET', `/api/comments/${id}/replies`, {
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

/** One's own. */
export function useChangeComment(photo: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, content }: Pick<Reply, 'id' | 'content'>) =>
      call<unknown>('PUT', `/api/comments/${id}`, { body: { content } }),
    onSuccess: (_, { id, content }) => patchComment(client, photo, id, (one) => ({ ...one, content })),
    onError: (error) => forgetIfGone(client, photo, error),
  });
}

/** With its replies, where it has some. */
export function useDeleteComment(photo: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Reply) => call<unknown>('DELETE', `/api/comments/${id}`),
    onError: (error) => forgetIfGone(client, photo, error),
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
      countComments(client, photo, -1 - reply_count);
    },
  });
}

interface Liking {
  id: number;
  isLiked: boolean;
}

/** Shown at once, taken back where it fails. */
export function useLikeComment(photo: number) {
  const client = useQueryClient();
  const show = ({ id, isLiked }: Liking) =>
    patchComment(client, photo, id, (comment) => liked(comment, isLiked));
  const mutation = useMutation({
    scope: { id: 'reactions' },
    mutationFn: ({ id, isLiked }: Liking) =>
      call<unknown>('POST', `/api/comments/${id}/like`, { body: { liked: isLiked } }),
    onMutate: show,
    onError: (error, given) => {
      show({ ...given, isLiked: !given.isLiked });
      if (!forgetIfGone(client, photo, error)) tellFailure(error, () => mutation.mutate(given));
    },
  });
  return mutation;
}

/** A comment that was deleted elsewhere: all are asked for once more, with their number. */
function forgetIfGone(client: QueryClient, photo: number, error: Error): boolean {
  const isGone = error instanceof ApiError && error.code === commentNotFound;
  if (!isGone) return false;
  void client.invalidateQueries(commentsOf(photo));
  void client.invalidateQueries(photoOf(photo));
  void import('../ui/toast.tsx').then(({ showToast }) => showToast({ text: textOf(error), isAlarm: true }));
  return true;
}

/** A comment, or a reply, where it stands. */
function patchComment(
  client: QueryClient,
  photo: number,
  id: number,
  patch: <Shown extends Reply>(comment: Shown) => Shown,
): void {
  const patched = <Shown extends Reply>(comment: Shown) => (comment.id === id ? patch(comment) : comment);
  patchThreads(client, photo, (threads) =>
    threads.map((thread) => ({ ...patched(thread), replies: thread.replies.map(patched) })),
  );
}

function liked<Shown extends Reply>(comment: Shown, isLiked: boolean): Shown {
  if (comment.is_liked === isLiked) return comment;
  return { ...comment, is_liked: isLiked, likes: comment.likes + (isLiked ? 1 : -1) };
}

const none: InfiniteData<CommentPage, number> = {
  pages: [{ list: [], pagination: { page: 1, limit: pageSize, total: 0, pages: 1 } }],
  pageParams: [1],
};

/** What is added stands on the first page; also where a photo without comments was never asked for them. */
function patchThreads(client: QueryClient, photo: number, patch: (threads: Comment[]) => Comment[]): void {
  client.setQueryData(commentsOf(photo).queryKey, (data = none) => {
    const known = new Set(threadsOf(data).map(({ id }) => id));
    const patched = new Map(patch(threadsOf(data)).map((thread) => [thread.id, thread]));
    const added = [...patched.values()].filter(({ id }) => !known.has(id));
    const pages = data.pages.map((page) => ({
      ...page,
      list: page.list.flatMap(({ id }) => patched.get(id) ?? []),
    }));
    return { ...data, pages: [{ ...pages[0]!, list: [...added, ...pages[0]!.list] }, ...pages.slice(1)] };
  });
}

function countComments(client: QueryClient, photo: number, step: number): void {
  patchPhoto(client, photo, (shown) => ({ ...shown, comments: Math.max(0, shown.comments + step) }));
}
