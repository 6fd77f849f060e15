/** Validates a worker's answer against the schema of its job, because a picture may have compromised the worker. */
import { Ajv, type ValidateFunction } from 'ajv';
import { ImageError } from '../errors.ts';
import {
  type ExpectedPicture,
  type ImagingJobKind,
  WorkerFailure,
  type WorkerJobAnswer,
  workerAnswerSchemas,
} from '../jobs.ts';
import type { WorkerAnswer } from './worker.ts';
import { WorkerEnded } from './worker-ended.ts';

const ajv = new Ajv({ strict: false });
const validatorByJobKind = new Map<ImagingJobKind, ValidateFunction>();
let validateFailure: ValidateFunction<WorkerFailure> | undefined;

/**
 * Returns the answer if it is valid. Throws the worker's failure as an ImageError or a system error, and WorkerEnded
 * for an invalid answer.
 */
export function readWorkerAnswer<Kind extends ImagingJobKind>(
  kind: Kind,
  { answer, failure }: WorkerAnswer,
  expected?: ExpectedPicture | null,
): WorkerJobAnswer<Kind> {
  if (failure !== undefined) throw toError(failure);
  const validate = validatorByJobKind.get(kind) ?? ajv.compile(workerAnswerSchemas[kind]);
  validatorByJobKind.set(kind, validate);
  if (!validate(answer))
    throw new WorkerEnded('crash', `invalid response to ${kind}: ${ajv.errorsText(validate.errors)}`);
  if (kind === 'upload' && expected) checkSize(expected, answer as WorkerJobAnswer<'upload'>);
  return answer as WorkerJobAnswer<Kind>;
}

/**
 * Throws if the picture is larger than its structure promised, because the stored size later limits the sizes that can
 * be requested.
 */
function checkSize({ pixels, frames }: ExpectedPicture, { inspected }: WorkerJobAnswer<'upload'>): void {
  if (inspected.width * inspected.height > pixels || inspected.frames > frames)
    throw new WorkerEnded('crash', 'more pixels than the file structure announced');
}

function toError(failure: unknown): Error {
  validateFailure ??= ajv.compile<WorkerFailure>(WorkerFailure);
  if (!validateFailure(failure)) return new WorkerEnded('crash', 'unknown kind of failure');
  if ('refused' in failure) return new ImageError(failure.refused, failure.message, { cause: failure.cause });
  if ('memory' in failure) return new WorkerEnded('memory', failure.memory);
  if ('mistake' in failure) return new Error(`a picture worker failed: ${failure.mistake}`);
  const error = new Error('the system has no memory left for pixels', { cause: failure.cause });
  return Object.assign(error, { code: failure.system });
}
