/** Compares a worker's answer with the schema of its job: a decoder may have been taken over. */
import { Ajv, type ValidateFunction } from 'ajv';
import { ImageError } from '../errors.ts';
import { type AnswerOf, answers, type Expected, Failure, type JobKind } from '../jobs.ts';
import { WorkerEnded } from './ended.ts';
import type { Answer } from './worker.ts';

const ajv = new Ajv({ strict: false });
const validators = new Map<JobKind, ValidateFunction>();
let validateFailure: ValidateFunction<Failure> | undefined;

/** Throws what the worker says it failed by: ImageError, or an error with the system's code; WorkerEnded for nonsense. */
export function readAnswer<Kind extends JobKind>(
  kind: Kind,
  { answer, failure }: Answer,
  expected?: Expected | null,
): AnswerOf<Kind> {
  if (failure !== undefined) throw toError(failure);
  const validate = validators.get(kind) ?? ajv.compile(answers[kind]);
  validators.set(kind, validate);
  if (!validate(answer))
    throw new WorkerEnded('crash', `no answer to ${kind}: ${ajv.errorsText(validate.errors)}`);
  if (kind === 'upload' && expected) checkSize(expected, answer as AnswerOf<'upload'>);
  return answer as AnswerOf<Kind>;
}

/** What is kept of it says how large a size may become. */
function checkSize({ pixels, frames }: Expected, { inspected }: AnswerOf<'upload'>): void {
  if (inspected.width * inspected.height > pixels || inspected.frames > frames)
    throw new WorkerEnded('crash', 'more pixels than the structure said');
}

function toError(failure: unknown): Error {
  validateFailure ??= ajv.compile<Failure>(Failure);
  if (!validateFailure(failure)) return new WorkerEnded('crash', 'no failure that is known');
  if ('refused' in failure) return new ImageError(failure.refused, failure.message, { cause: failure.cause });
  if ('memory' in failure) return new WorkerEnded('memory', failure.memory);
  if ('mistake' in failure) return new Error(`a picture worker failed: ${failure.mistake}`);
  const error = new Error('the system has no room for pixels', { cause: failure.cause });
  return Object.assign(error, { code: failure.system });
}
