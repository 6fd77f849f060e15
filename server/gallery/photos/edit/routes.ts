/** Routes to edit a photo, list its history and revert edits. */

import type { Deps } from '../../../deps.ts';
import { Visibility } from '../../../platform/db/states.ts';
import type { ImageRow } from '../../../platform/db/tables.ts';
import { runWhileConnected } from '../../../platform/http/abandoned.ts';
import type { App } from '../../../platform/http/app.ts';
import { resultResponse } from '../../../platform/http/envelope.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { timeText } from '../../../platform/http/time.ts';
import { EditStep } from '../../../platform/imaging/edits/actions.ts';
import {
  buildSizesPath,
  createViewerPathSigner,
  getFullPictureName,
  previewPath,
  thumbPath,
} from '../../delivery/paths.ts';
import { buildImagePath } from '../../delivery/signatures.ts';
import { createEndpointMethods } from '../../identity/endpoints.ts';
import type { Viewer } from '../../identity/viewer.ts';
import * as schema from '../schema.ts';
import { createPhotoEdits } from './edit.ts';
import type { CurrentPhotoImage } from './image.ts';

const params = idParams('photo');
/**
 * Errors of the edit routes. Decoding errors are possible, because a damaged file may be readable for a preview but not
 * for an edit.
 */
const editErrorNames = [
  'photoNotFound',
  'photoForbidden',
  'unsupportedFormat',
  'fileTooLarge',
  'quotaExceeded',
  'noSpace',
] as const;

export async function editRoutes(app: App, deps: Deps): Promise<void> {
  const api = createEndpointMethods(app, 'Edits');
  const edits = createPhotoEdits(deps);

  api.post('/api/photos/:id/edit', {
    auth: 'required',
    operationId: 'editPhoto',
    summary: 'Edit a photo',
    description: 'Adds a step to the edit history. The original is never changed.',
    params,
    body: EditStep,
    answer: schema.EditResponse,
    refusals: [...editErrorNames],
    handler: async (request) => {
      const { viewer } = request;
      const now = await runWhileConnected(request, (signal) =>
        edits.apply(viewer, request.params.id, request.body, signal),
      );
      return resultResponse('Photo edited', presentEdited(deps, viewer, now));
    },
  });

  api.get('/api/photos/:id/edits', {
    auth: 'required',
    operationId: 'listEdits',
    summary: "List a photo's edits",
    description:
      'Returns all steps of the current image without pages, oldest first, and the original that ' +
      'they are applied to. For the owner and admins.',
    params,
    answer: schema.EditSteps,
    refusals: ['photoNotFound', 'photoForbidden'],
    handler: async (request) => {
      const { steps, original } = await edits.list(request.viewer, request.params.id);
      const list = steps.map(({ id, action, params, create_time }) => ({
        id,
        action,
        params: JSON.parse(params) as Record<string, unknown>,
        create_time: timeText(create_time),
      }));
      return { list, original: presentOriginal(deps, request.viewer, original) };
    },
  });

  api.put('/api/photos/:id/edits', {
    auth: 'required',
    operationId: 'setEdits',
    summary: "Set a photo's edits",
    description:
      'Replaces the whole history by `steps`, applies them to the original in their order, and ' +
      'renders once. An empty list restores the original. The current steps again change nothing.',
    params,
    body: schema.NewEditHistory,
    answer: schema.EditResponse,
    refusals: [...editErrorNames],
    handler: async (request) => {
      const { viewer, body } = request;
      const now = await runWhileConnected(request, (signal) =>
        edits.replace(viewer, request.params.id, body.steps, signal),
      );
      return resultResponse('Photo edited', presentEdited(deps, viewer, now));
    },
  });

  api.post('/api/photos/:id/revert', {
    auth: 'required',
    config: { hasOptionalBody: true },
    operationId: 'revertPhoto',
    summary: "Revert a photo's edits",
    description: 'Reverts to the state after the step `edit_id`, or to the original.',
    params,
    body: schema.RevertRequest,
    answer: schema.EditResponse,
    refusals: [...editErrorNames],
    handler: async (request) => {
      const { viewer } = request;
      const now = await runWhileConnected(request, (signal) =>
        edits.revert(viewer, request.params.id, request.body.edit_id, signal),
      );
      return resultResponse('Photo reverted', presentEdited(deps, viewer, now));
    },
  });
}

/**
 * Returns the paths of an edited photo's original. Only the owner and admins can see the original, even if the photo is
 * public.
 */
function presentOriginal(deps: Deps, viewer: Viewer, { key, width, height, ...image }: ImageRow) {
  const signer = createViewerPathSigner(deps, viewer);
  const row = {
    image_key: key,
    preview_extension: image.preview_extension,
    visibility_now: Visibility.private,
  };
  const name = getFullPictureName(key, {
    image_kind: image.kind,
    image_extension: image.extension,
    preview_extension: image.preview_extension,
    full_extension: image.full_extension,
  });
  return {
    path: buildImagePath({ name, visibility_now: Visibility.private }, signer),
    preview: previewPath(row, signer),
    image: buildSizesPath(row, signer),
    thumb: thumbPath(row, signer),
    width,
    height,
  };
}

function presentEdited(deps: Deps, viewer: Viewer, { photo, image }: CurrentPhotoImage) {
  const signer = createViewerPathSigner(deps, viewer);
  const name = getFullPictureName(image.key, {
    image_kind: image.kind,
    image_extension: image.extension,
    preview_extension: image.preview_extension,
    full_extension: image.full_extension,
  });
  return {
    path: buildImagePath({ name, visibility_now: photo.visibility_now }, signer),
    preview: previewPath(photo, signer),
    image: buildSizesPath(photo, signer),
    thumb: thumbPath(photo, signer),
    width: photo.width,
    height: photo.height,
    size: photo.size,
    placeholder: photo.placeholder,
  };
}
