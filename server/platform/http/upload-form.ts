/** Reads a multipart form with one file. The file streams into a temporary file; the fields are few and small. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requestCaller } from '../connections/address.ts';
import { ApiError, errors, type FieldErrors } from '../errors/catalogue.ts';
import { createFileTooLargeError, type FileLimit } from '../errors/file-limit.ts';
import { getErrorCode, StorageError, toStorageError } from '../errors/storage.ts';
import { createChecksumMeter } from '../storage/checksum.ts';
import type { Storage, TemporaryFile } from '../storage/storage.ts';
import { addFieldError } from './field-errors.ts';
import { watchFormTexts } from './form-texts.ts';
import { isBodyCompressed } from './json-body.ts';
import type { FormCheck } from './validation.ts';

export interface UploadForm<Fields> {
  file: TemporaryFile;
  size: number;
  /** SHA-256 of the received file in hex. */
  sha256: string;
  /** File name from the client. Never used as a path on the server. */
  fileName: string;
  fields: Fields;
}

interface FormOptions<Fields> {
  /** Limit of the uploaded file. */
  limit: FileLimit;
  /** Check of the form's fields. Throws `invalid`, which names every wrong field. */
  check: FormCheck<Fields>;
}

/** Maximum files that the parser reads. The form accepts one, and further files become an error message. */
const maxFiles = 3;
const maxFields = 20;
const maxFieldBytes = 64 * 1024;
/** Maximum characters of a form field's name. */
const maxNameLength = 100;
/** Maximum headers of a form part, which give the part's name, file name and type. */
const maxPartHeaders = 20;
const maxPartHeaderBytes = 8 * 1024;

// `headerSize` is an option of the parser that the plugin's types lack.
const formLimits = {
  files: maxFiles,
  fields: maxFields,
  parts: maxFields + maxFiles,
  fieldSize: maxFieldBytes,
  fieldNameSize: maxNameLength,
  headerPairs: maxPartHeaders,
  headerSize: maxPartHeaderBytes,
};

/** Makes the routes of a scope accept multipart forms only. */
export async function acceptForms(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  await scope.register(multipart, { limits: formLimits });
}

/**
 * Receives the form. Throws `invalid` that names every wrong field, `fileTooLarge` as soon as the file exceeds
 * `limit`, and `unsupportedFormat` for an empty file. Waits while this user, this IP address or all clients upload
 * too many files, then throws `tooManyRequests` or `busy`. The caller must discard `file`; after an error the file is
 * discarded already.
 */
export async function readUploadForm<Fields>(
  request: FastifyRequest,
  { storage }: { storage: Storage },
  options: FormOptions<Fields>,
): Promise<UploadForm<Fields>> {
  if (!request.isMultipart() || isBodyCompressed(request)) throw errors.wrongContentType();
  refuseLarge(request, options.limit);
  return request.server.shared.uploads.with(requestCaller(request.viewer, request), () =>
    receiveForm(request, storage, options),
  );
}

async function receiveForm<Fields>(
  request: FastifyRequest,
  storage: Storage,
  { limit, check }: FormOptions<Fields>,
): Promise<UploadForm<Fields>> {
  const file = await storage.temporary();
  try {
    // The form parser would wait forever if the client had disconnected before the parser listens.
    if (request.raw.destroyed) throw errors.invalid({ message: 'The form ended too early' });
    const parts = await readParts(request, file, limit).catch((error: unknown) => {
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

/** Error codes of a client that disconnected or sent less than announced. */
const cutOff = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'ABORT_ERR']);

/**
 * Translates an error of receiving a form. Errors of the parser have no code and are the client's mistake; other errors
 * come from the disk.
 */
function toFormError(error: unknown): unknown {
  if (error instanceof ApiError || error instanceof StorageError || error instanceof TypeError) return error;
  const code = getErrorCode(error);
  if (code !== undefined && !cutOff.has(code)) return toStorageError(error);
  return errors.invalid({ message: 'The form is malformed or ended too early', cause: error });
}

/**
 * Refuses a file whose declared length is too large, so that the client need not send it. The rest of the form is
 * small.
 */
function refuseLarge(request: FastifyRequest, limit: FileLimit): void {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit.maxBytes + maxFields * maxFieldBytes) throw createFileTooLargeError(limit);
}

interface Parts {
  /** Received file. Undefined only if `problems` names `file`. */
  received: { size: number; sha256: string; fileName: string } | undefined;
  texts: Record<string, string>;
  problems: FieldErrors;
}

async function readParts(request: FastifyRequest, file: TemporaryFile, limit: FileLimit): Promise<Parts> {
  const parts: Parts = { received: undefined, texts: Object.create(null), problems: {} };
  const bounds = { maxHeaderBytes: maxPartHeaderBytes, maxValueBytes: maxFieldBytes };
  const watch = watchFormTexts(request.headers['content-type']!, bounds, (name) =>
    addFieldError(parts.problems, shortPartName({ fieldname: name }), 'Must be text in UTF-8'),
  );
  request.raw.on('data', watch);
  try {
    return await fillParts(parts, request, file, limit);
  } finally {
    request.raw.off('data', watch);
  }
}

/** Reads all parts, even after a wrong one, so that the response names every wrong field. */
async function fillParts(
  parts: Parts,
  request: FastifyRequest,
  file: TemporaryFile,
  limit: FileLimit,
): Promise<Parts> {
  const { texts, problems } = parts;
  const { maxBytes } = limit;
  let passed = 0;
  for await (const part of request.parts({ limits: { fileSize: maxBytes } })) {
    if (part.type === 'field') {
      addField(texts, problems, part);
    } else if (part.fieldname === 'file' && !parts.received) {
      const sum = await receiveFile(part.file, file, limit, () => request.touchSession());
      parts.received = { ...sum, fileName: part.filename ?? '' };
    } else {
      addFieldError(
        problems,
        shortPartName(part),
        part.fieldname === 'file' ? 'Is given twice' : 'Is not expected',
      );
      for await (const chunk of part.file) {
        passed += (chunk as Buffer).length;
        // Reading stops here, because receiving the rest of unwanted files would take too long.
        if (passed > maxBytes) throw errors.invalid({ fields: problems });
      }
    }
  }
  if (!parts.received) addFieldError(problems, 'file', 'Is required');
  return parts;
}

/** Returns the shortened name of a part, which may have no name. */
function shortPartName({ fieldname }: { fieldname: string | undefined }): string {
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
  const name = shortPartName(part);
  if (part.fieldnameTruncated || part.valueTruncated) addFieldError(problems, name, 'Is too long');
  else if (typeof part.value !== 'string') addFieldError(problems, name, 'Must be text');
  else if (name in texts) addFieldError(problems, name, 'Is given twice');
  else texts[name] = part.value;
}

async function receiveFile(
  stream: MultipartFile['file'],
  file: TemporaryFile,
  limit: FileLimit,
  onBytes: () => void,
) {
  const meter = createChecksumMeter(onBytes);
  // The stream is destroyed at once, not only when the rest of the file has arrived.
  stream.once('limit', () => stream.destroy(createFileTooLargeError(limit)));
  await pipeline(stream, meter.through, createWriteStream(file.path));
  return meter.sum();
}
