/** Reads a multipart form with one file: the file streams into a temporary file, the fields are few and small. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerOf } from '../connections/address.ts';
import { ApiError, errors, type FieldErrors } from '../errors/catalogue.ts';
import { codeOf, StorageError, toStorageError } from '../errors/storage.ts';
import { createMeter } from '../storage/checksum.ts';
import type { Storage, TemporaryFile } from '../storage/storage.ts';
import { addFieldError } from './field-errors.ts';
import { watchFormTexts } from './form-texts.ts';
import { hasCoding } from './json-body.ts';
import type { FormCheck } from './validation.ts';

export interface UploadForm<Fields> {
  file: TemporaryFile;
  size: number;
  /** Of the bytes received, hex. */
  sha256: string;
  /** As the client gave it; never a path of ours. */
  fileName: string;
  fields: Fields;
}

interface FormOptions<Fields> {
  /** Of the file. */
  maxBytes: number;
  /** Throws invalid that names every bad field. */
  check: FormCheck<Fields>;
}

/** One file is accepted; further ones are an error of the form. */
const maxFiles = 3;
const maxFields = 20;
const maxFieldBytes = 64 * 1024;
/** In characters. */
const maxNameLength = 100;
/** What a part says of itself: its name, the file's name and type. */
const maxPartHeaders = 20;
const maxPartHeaderBytes = 8 * 1024;

// `headerSize` is the parser's own, and unknown to the plugin's types.
const limits = {
  files: maxFiles,
  fields: maxFields,
  parts: maxFields + maxFiles,
  fieldSize: maxFieldBytes,
  fieldNameSize: maxNameLength,
  headerPairs: maxPartHeaders,
  headerSize: maxPartHeaderBytes,
};

/** Makes the routes of this scope take multipart forms, and nothing else. */
export async function acceptForms(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  await scope.register(multipart, { limits });
}

/**
 * Throws invalid naming every bad field, `file` when there is none; fileTooLarge as soon as it exceeds `maxBytes`,
 * unsupportedFormat when it is empty. Waits while this user, this address or all are sending many; tooManyRequests
 * or busy when the wait was in vain. The caller discards `file`; when this throws, it is discarded already.
 */
export async function readUploadForm<Fields>(
  request: FastifyRequest,
  { storage }: { storage: Storage },
  options: FormOptions<Fields>,
): Promise<UploadForm<Fields>> {
  if (!request.isMultipart() || hasCoding(request)) throw errors.wrongContentType();
  refuseLarge(request, options.maxBytes);
  return request.server.shared.uploads.with(callerOf(request.viewer, request), () =>
    receiveForm(request, storage, options),
  );
}

async function receiveForm<Fields>(
  request: FastifyRequest,
  storage: Storage,
  { maxBytes, check }: FormOptions<Fields>,
): Promise<UploadForm<Fields>> {
  const file = await storage.temporary();
  try {
    // The form's parser waits for ever where the client went away before it began to listen.
    if (request.raw.destroyed) throw errors.invalid({ message: 'The form was cut off' });
    const parts = await readParts(request, file, maxBytes).catch((error: unknown) => {
      throw toFormError(error);
    });
    await request.confirmViewer();
    const fields = check(parts.texts, parts.problems);
    const { size, sha256, fileName } = parts.received!;
    if (size === 0) throw errors.unsupportedFormat({ message: 'The file is empty' });
    return { file, size, sha256, fileName, fields };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** The client went away, or said that it would send more than it did. */
const cutOff = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'ABORT_ERR']);

/** What the form's parser complains of (errors without a code) is the client's mistake; the rest is the disk's. */
function toFormError(error: unknown): unknown {
  if (error instanceof ApiError || error instanceof StorageError || error instanceof TypeError) return error;
  const code = codeOf(error);
  if (code !== undefined && !cutOff.has(code)) return toStorageError(error);
  return errors.invalid({ message: 'The form could not be read', cause: error });
}

/** A declared length saves sending a file that cannot be taken. The form around it is small. */
function refuseLarge(request: FastifyRequest, maxBytes: number): void {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes + maxFields * maxFieldBytes) throw errors.fileTooLarge();
}

interface Parts {
  /** Undefined only where `problems` names `file`. */
  received: { size: number; sha256: string; fileName: string } | undefined;
  texts: Record<string, string>;
  problems: FieldErrors;
}

async function readParts(request: FastifyRequest, file: TemporaryFile, maxBytes: number): Promise<Parts> {
  const parts: Parts = { received: undefined, texts: Object.create(null), problems: {} };
  const bounds = { maxHeaderBytes: maxPartHeaderBytes, maxValueBytes: maxFieldBytes };
  const watch = watchFormTexts(request.headers['content-type']!, bounds, (name) =>
    addFieldError(parts.problems, nameOf({ fieldname: name }), 'must be text in UTF-8'),
  );
  request.raw.on('data', watch);
  try {
    return await fillParts(parts, request, file, maxBytes);
  } finally {
    request.raw.off('data', watch);
  }
}

/** Reads on after a part that is wrong: the others may be, too. */
async function fillParts(
  parts: Parts,
  request: FastifyRequest,
  file: TemporaryFile,
  maxBytes: number,
): Promise<Parts> {
  const { texts, problems } = parts;
  let passed = 0;
  for await (const part of request.parts({ limits: { fileSize: maxBytes } })) {
    if (part.type === 'field') {
      addField(texts, problems, part);
    } else if (part.fieldname === 'file' && !parts.received) {
      const sum = await receive(part.file, file, () => request.keepInUse());
      parts.received = { ...sum, fileName: part.filename ?? '' };
    } else {
      addFieldError(problems, nameOf(part), part.fieldname === 'file' ? 'is given twice' : 'is not expected');
      for await (const chunk of part.file) {
        passed += (chunk as Buffer).length;
        // The rest is not worth the wait.
        if (passed > maxBytes) throw errors.invalid({ fields: problems });
      }
    }
  }
  if (!parts.received) addFieldError(problems, 'file', 'is required');
  return parts;
}

/** A part need not have a name. */
function nameOf({ fieldname }: { fieldname: string | undefined }): string {
  return Array.from(fieldname ?? '')
    .slice(0, maxNameLength)
    .join('');
}

interface FieldPart {
  fieldname: string | undefined;
  value: unknown;
  fieldnameTruncated?: boolean;
  valueTruncated?: boolean;
}

function addField(texts: Record<string, string>, problems: FieldErrors, part: FieldPart): void {
  const name = nameOf(part);
  if (part.fieldnameTruncated || part.valueTruncated) addFieldError(problems, name, 'is too long');
  else if (typeof part.value !== 'string') addFieldError(problems, name, 'must be text');
  else if (name in texts) addFieldError(problems, name, 'is given twice');
  else texts[name] = part.value;
}

async function receive(stream: MultipartFile['file'], file: TemporaryFile, onBytes: () => void) {
  const meter = createMeter(onBytes);
  // At once, and not when all of it has arrived.
  stream.once('limit', () => stream.destroy(errors.fileTooLarge()));
  await pipeline(stream, meter.through, createWriteStream(file.path));
  return meter.sum();
}
