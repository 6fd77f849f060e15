/**
 * Data in a document: the responses that the API would give to the same viewer. The page then does not fetch them
 * again.
 */
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { callerKey } from '../../platform/connections/address.ts';
import { ApiError, errorCatalogue } from '../../platform/errors/catalogue.ts';
import { logRequestError, toApiError } from '../../platform/http/error-handler.ts';
import type { LinkCard } from '../../platform/http/link-card.ts';
import { maxItemsPerPage } from '../../platform/http/pagination.ts';
import { createThrottle } from '../../platform/http/rate-limiters.ts';
import type { SharedLimits } from '../../platform/http/shared-limits.ts';
import { presentCurrentUser, userStats } from '../accounts/current-user.ts';
import type { AlbumDetail } from '../albums/schema.ts';
import { createViewerPathSigner } from '../delivery/paths.ts';
import { createRefuseVisitor } from '../identity/guard.ts';
import { createFindViewer } from '../identity/sessions.ts';
import { getUser } from '../identity/users.ts';
import type { Viewer } from '../identity/viewer.ts';
import { createReadPhotoDetail } from '../photos/detail.ts';
import { readTimeline } from '../photos/groups/timeline.ts';
import { createListPhotos, type PhotoPage } from '../photos/list/list.ts';
import type { Photo } from '../photos/schema.ts';
import { readSite } from '../site/routes.ts';
import { createReadCard } from './card.ts';
import type { PageRoute } from './pages.ts';
import { createReadAlbumPage } from './read-album.ts';
import type { TimelineMonth } from './sections.ts';

export interface PageData {
  site: Awaited<ReturnType<typeof readSite>>;
  user: ReturnType<typeof presentCurrentUser> | null;
  album?: AlbumDetail;
  /**
   * Photo wall of the home page or of the album. The wall has its months if the list is in the order of time, and the
   * first page or the page with the opened photo.
   */
  wall?: { months?: TimelineMonth[]; page: PhotoPage };
  photo?: Photo;
}

export interface PageReadResult {
  status: number;
  /** Seconds until the client may try again. */
  retryAfter?: number | undefined;
  /** Preview of the page for a visitor who is not signed in. */
  card?: LinkCard | undefined;
  /** Data of the page, or undefined if not even the site and the user could be read. */
  data: PageData | undefined;
}

/** Parameters in the path of a page. Text that is no id becomes 0, which no row has. */
export interface PagePathIds {
  id: number;
  photoId: number | undefined;
  name: string;
}

const homeList = { sort: 'taken_time', order: 'desc', limit: maxItemsPerPage } as const;

export function createReadPageData(deps: Deps, shared: SharedLimits) {
  const findViewer = createFindViewer(deps);
  const refuseVisitor = createRefuseVisitor(deps);
  const listPhotos = createListPhotos(deps);
  const readDetail = createReadPhotoDetail(deps);
  const readAlbumPage = createReadAlbumPage(deps);
  const readCard = createReadCard(deps);
  // A visitor's pages and API calls have separate rate limits, because the script of a page also calls the API. The
  // browsers of an account have one larger limit for both.
  const { rateLimit, webRateLimit } = deps.config;
  const throttle = rateLimit > 0 ? createThrottle(shared, 'pages', rateLimit) : undefined;
  const throttleBrowsers = webRateLimit > 0 ? createThrottle(shared, 'web', webRateLimit) : undefined;

  async function readWall(viewer: Viewer | undefined, around?: number) {
    const query = { ...homeList, page: 1, ...(around !== undefined && { around }) };
    const [months, page] = await Promise.all([
      readTimeline(deps, viewer, { by: 'taken_time' }),
      listPhotos(viewer, query),
    ]);
    return { months: months.list, page };
  }

  async function readPageContent(
    viewer: Viewer | undefined,
    shows: PageRoute['shows'],
    { id, photoId }: PagePathIds,
  ): Promise<Omit<PageData, 'site' | 'user'>> {
    if (shows === 'album') return readAlbumPage(viewer, id, photoId);
    if (shows === 'wall') return { wall: await readWall(viewer) };
    if (shows !== 'photo') return {};
    // This read counts no view, because the script counts the view when the page calls the API.
    const photo = await readDetail(viewer, id, false);
    return { photo, wall: await readWall(viewer, id).catch(undefinedUnlessServerError) };
  }

  /**
   * Reads the data of a page, and never throws. Data that could not be read is missing in the document, and the script
   * fetches it.
   */
  return async (
    request: FastifyRequest,
    { shows, card: subject }: PageRoute,
    ids: PagePathIds,
  ): Promise<PageReadResult> => {
    let frame: PageData | undefined;
    try {
      // A request with an expired session cookie counts as signed out.
      const viewer = await findViewer(request).catch(undefinedIfRefused);
      const [site, user] = await Promise.all([readSite(deps), viewer && readUser(deps, viewer)]);
      frame = { site, user: user ?? null };
      await refuseVisitor(request, viewer);
      await (viewer?.hasCookie ? throttleBrowsers : throttle)?.consume(callerKey(viewer, request));
      const content = await readPageContent(viewer, shows, ids);
      const asked = { request, subject, id: ids.photoId ?? ids.id, name: ids.name, content };
      // The page is complete without its preview.
      const card = viewer
        ? undefined
        : await readCard(asked).catch((error) => void logRequestError(error, request));
      return { status: 200, card, data: { ...frame, ...content } };
    } catch (error) {
      return { ...choosePageStatus(logRequestError(error, request)), data: frame };
    }
  };
}

/**
 * Returns the status of a page after an error. Status 403 becomes 404, so that strangers do not learn that a private
 * photo exists. Status 401 leads to the sign-in page. The script reports other 4xx errors.
 */
export function choosePageStatus({
  status,
  retryAfter,
}: ApiError): Pick<PageReadResult, 'status' | 'retryAfter'> {
  if (status === 403 || status === 404) return { status: 404 };
  if (status === errorCatalogue.unauthenticated.status) return { status };
  return status === 429 || status >= 500 ? { status, retryAfter } : { status: 200 };
}

async function readUser(deps: Deps, viewer: Viewer) {
  const user = await getUser(deps, viewer.id);
  return presentCurrentUser(user, await userStats(deps, viewer), createViewerPathSigner(deps, viewer));
}

/**
 * Returns undefined after a known error, so that the page shows the photo and the script fetches the wall. Throws
 * unknown errors again.
 */
function undefinedUnlessServerError(error: unknown): undefined {
  if (toApiError(error).status === errorCatalogue.internal.status) throw error;
  return undefined;
}

function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof ApiError) return undefined;
  throw error;
}
