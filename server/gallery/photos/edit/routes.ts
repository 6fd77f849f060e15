/** A photo's edits: add a step, read the history, go back. */

import type { Deps } from '../../../deps.ts';
import { whileConnected } from '../../../platform/http/abandoned.ts';
import type { App } from '../../../platform/http/app.ts';
import { dataAnswer, doneWith, failures, ok, writeAnswer } from '../../../platform/http/envelope.ts';
import { idParams } from '../../../platform/http/schema.ts';
import { timeText } from '../../../platform/http/time.ts';
import { EditStep } from '../../../platform/imaging/edits/step.ts';
import { viewerOf } from '../../accounts/access.ts';
import type { Viewer } from '../../accounts/viewer.ts';
import { fullName, signerFor } from '../../delivery/paths.ts';
import { pathFor } from '../../delivery/signatures.ts';
import * as schema from '../schema.ts';
import { createPhotoEdits } from './edit.ts';
import type { ImageNow } from './image.ts';

const tags = ['Edits'];
const params = idParams('photo');
const refusals = ['invalid', 'photoNotFound', 'photoForbidden', 'unauthenticated', 'badToken'] as const;

export async function editRoutes(app: App, deps: Deps): Promise<void> {
  const edits = createPhotoEdits(deps);

  app.post(
    '/api/photos/:id/edit',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'editPhoto',
        tags,
        summary: 'Edit a photo',
        description: 'Adds a step to the history. The original is never touched.',
        params,
        body: EditStep,
        response: {
          200: writeAnswer(schema.Edited),
          ...failures(...refusals, 'fileTooLarge', 'quotaExceeded', 'noSpace'),
        },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      const now = await whileConnected(request, (signal) =>
        edits.apply(viewer, request.params.id, request.body, signal),
      );
      return doneWith('Photo edited', { path: pathNow(deps, viewer, now) });
    },
  );

  app.get(
    '/api/photos/:id/edits',
    {
      config: { auth: 'required' },
      schema: {
        operationId: 'listEdits',
        tags,
        summary: "List a photo's edits",
        description: 'All steps of the current image without pages, oldest first. For its owner and admins.',
        params,
        response: { 200: dataAnswer(schema.EditSteps), ...failures(...refusals) },
      },
    },
    async (request) => {
      const steps = await edits.list(viewerOf(request), request.params.id);
      const list = steps.map(({ id, action, params, create_time }) => ({
        id,
        action,
        params: JSON.parse(params) as Record<string, unknown>,
        create_time: timeText(create_time),
      }));
      return ok({ list });
    },
  );

  app.post(
    '/api/photos/:id/revert',
    {
      config: { auth: 'required', hasOptionalBody: true },
      schema: {
        operationId: 'revertPhoto',
        tags,
        summary: "Revert a photo's edits",
        description: 'To the state after the step `edit_id`, or to the original.',
        params,
        body: schema.Revert,
        response: {
          200: writeAnswer(schema.Edited),
          ...failures(...refusals, 'fileTooLarge', 'quotaExceeded', 'noSpace'),
        },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      const now = await whileConnected(request, (signal) =>
        edits.revert(viewer, request.params.id, request.body.edit_id, signal),
      );
      return doneWith('Photo reverted', { path: pathNow(deps, viewer, now) });
    },
  );
}

function pathNow(deps: Deps, viewer: Viewer, { photo, image }: ImageNow): string {
  const name = fullName(image.key, {
    image_kind: image.kind,
    image_extension: image.extension,
    preview_extension: image.preview_extension,
    full_extension: image.full_extension,
  });
  return pathFor({ name, visibility_now: photo.visibility_now }, signerFor(deps, viewer));
}
