/**
 * Runs s3rver with the guarantees of S3 that tests need. Objects appear completely or not at all, and bodies are
 * checked against their SHA-256. `If-None-Match: *` works. s3.ts starts this program, which prints its port.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, mkdir, rename, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

interface UploadedObject {
  bucket: string;
  key: string;
  /** The request, or the parts of a large object in order. */
  content: Readable & { headers?: IncomingHttpHeaders };
  metadata: Record<string, string>;
}

const require = createRequire(import.meta.url);
const S3rver = require('s3rver');
const S3Error = require('s3rver/lib/models/error.js');

const [directory] = process.argv.slice(2);
const server = new S3rver({ directory, address: '127.0.0.1', port: 0, silent: true, vhostBuckets: false });
const { store } = server;

/** Replaces s3rver's own method, which overwrites in place and responds before all bytes are written. */
store.putObject = async ({ bucket, key, content, metadata }: UploadedObject) => {
  const path: string = store.getResourcePath(bucket, key, 'object');
  const partial = `${path}.${randomBytes(6).toString('hex')}`;
  const [md5, sha256] = [createHash('md5'), createHash('sha256')];
  const { headers = {} } = content;
  let size = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length;
      md5.update(chunk);
      sha256.update(chunk);
      next(null, chunk);
    },
  });
  await mkdir(dirname(path), { recursive: true });
  try {
    await pipeline(content, meter, createWriteStream(partial));
    const announced = String(headers['x-amz-content-sha256']);
    if (/^[0-9a-f]{64}$/.test(announced) && announced !== sha256.digest('hex')) {
      throw new S3Error('BadDigest', 'The SHA-256 is not that of the content');
    }
    // A hard link does not replace a file, unlike a rename, so only one of several conditional writes
    // succeeds.
    await (headers['if-none-match'] === '*' ? link : rename)(partial, path);
    const digest = md5.digest('hex');
    await store.putMetadata(bucket, key, metadata, digest);
    return { md5: digest, size };
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw isTaken ? new S3Error('PreconditionFailed', 'The object exists') : error;
  } finally {
    await rm(partial, { force: true });
  }
};

const { port } = await server.run();
process.stdout.write(`listening on ${port}\n`);
