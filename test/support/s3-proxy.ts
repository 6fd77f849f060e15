/** Stands between a gallery and the S3 server, and does to its requests what networks and stores do. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type S3Fault =
  /** 500 instead of an answer. */
  | 'error'
  /** 403: the keys may not do that. */
  | 'forbidden'
  /** There is no room, as several stores say it. */
  | keyof typeof fullStoreAnswers
  /** Taken, and never answered. */
  | 'hang'
  /** The connection is cut before anything was done. */
  | 'reset'
  /** Done; then the connection is cut instead of the answer. */
  | 'lost'
  /** The body of the answer ends in its middle. */
  | 'half'
  /** The body of the answer stops in its middle, and the connection stays. */
  | 'stall'
  /** One bit of the answer's body is another. */
  | 'wrong'
  /** One bit of what is sent is another, and the store is told of the right bytes' SHA-256. */
  | 'damage'
  /** The same, and the store does not check. */
  | 'garble'
  /** The store knows no ranges. */
  | 'rangeless'
  /** The store makes its ETags of something else. */
  | 'etag'
  /** The store overwrites where it was asked not to. */
  | 'unconditional'
  /** The store takes no request that asks it not to overwrite. */
  | 'unimplemented';

/** Status, code and words (none from radosgw) of stores whose quota or disks are full. */
export const fullStoreAnswers = {
  radosgw: [403, '<Code>QuotaExceeded</Code>'],
  minio: [507, '<Code>XMinioStorageFull</Code><Message>Storage backend has reached its limit</Message>'],
  'minio quota': [400, '<Code>XMinioAdminBucketQuotaExceeded</Code><Message>Bucket quota exceeded</Message>'],
  garage: [403, '<Code>AccessDenied</Code><Message>Forbidden: Bucket size quota is reached</Message>'],
  backblaze: [403, '<Code>AccessDenied</Code><Message>Cannot upload files, storage cap exceeded.</Message>'],
  wordless: [507, ''],
} as const;

function isFullStoreFault(fault: S3Fault | undefined): fault is keyof typeof fullStoreAnswers {
  return fault !== undefined && fault in fullStoreAnswers;
}

export interface S3Request {
  method: string;
  /** With the query. */
  path: string;
}

export interface S3Proxy {
  url: string;
  /** Which fault a request meets; set by tests. */
  fault: (asked: S3Request) => S3Fault | undefined;
  /** Answers in the place of the store where it returns a body. */
  answer: (asked: S3Request) => string | undefined;
  /** Called when the store has done what was asked, before the answer is passed on. */
  done: (asked: S3Request) => void;
  /** Every request so far. */
  seen: S3Request[];
  close(): Promise<void>;
}

export async function startS3Proxy(): Promise<S3Proxy> {
  const target = new URL(process.env.TEST_S3_URL!);
  const server = createServer((incoming, outgoing) => {
    const asked = { method: incoming.method!, path: incoming.url! };
    proxy.seen.push(asked);
    const answer = proxy.answer(asked);
    if (answer !== undefined) {
      incoming.resume();
      outgoing.setHeader('content-type', 'application/xml').end(answer);
      return;
    }
    const reportDone = () => proxy.done(asked);
    answerWithFault(proxy.fault(asked), incoming, outgoing, { target, done: reportDone }).catch(() =>
      incoming.socket.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: S3Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: () => undefined,
    answer: () => undefined,
    done: () => {},
    seen: [],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

async function answerWithFault(
  fault: S3Fault | undefined,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { target, done }: { target: URL; done(): void },
): Promise<void> {
  if (fault === 'reset') {
    incoming.socket.destroy();
    return;
  }
  const sent = await buffer(incoming);
  if (fault === 'hang') return;
  if (fault === 'unimplemented' && incoming.headers['if-none-match']) {
    outgoing.writeHead(501, { 'content-type': 'application/xml' });
    outgoing.end('<Error><Code>NotImplemented</Code><Message>no</Message></Error>');
    return;
  }
  if (isFullStoreFault(fault)) {
    const [status, said] = fullStoreAnswers[fault];
    outgoing.writeHead(status, { 'content-type': 'application/xml' });
    outgoing.end(`<Error>${said}</Error>`);
    return;
  }
  if (fault === 'error' || fault === 'forbidden') {
    const [status, code] = fault === 'error' ? [500, 'InternalError'] : [403, 'AccessDenied'];
    outgoing.writeHead(status, { 'content-type': 'application/xml' });
    outgoing.end(`<Error><Code>${code}</Code><Message>no</Message></Error>`);
    return;
  }
  const { headers, status, body } = await forwardRequest(fault, incoming, sent, target);
  done();
  if (fault === 'lost') {
    incoming.socket.destroy();
    return;
  }
  if (fault === 'etag') headers.etag = '"made otherwise"';
  if (fault === 'wrong') flipByte(body);
  outgoing.writeHead(status, headers);
  if (fault !== 'half' && fault !== 'stall') {
    outgoing.end(body);
    return;
  }
  outgoing.write(body.subarray(0, body.length / 2), () => {
    if (fault === 'half') incoming.socket.destroy();
  });
}

async function forwardRequest(
  fault: S3Fault | undefined,
  incoming: IncomingMessage,
  sent: Buffer,
  target: URL,
) {
  const headers = { ...incoming.headers };
  if (fault === 'rangeless') delete headers.range;
  if (fault === 'unconditional') delete headers['if-none-match'];
  if (fault === 'damage') flipByte(sent);
  if (fault === 'garble') {
    flipByte(sent);
    headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD';
  }
  const asking = request({
    host: target.hostname,
    port: target.port,
    method: incoming.method,
    path: incoming.url,
    headers,
  });
  asking.end(sent);
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  return { headers: answer.headers, status: answer.statusCode!, body: await buffer(answer) };
}

function flipByte(bytes: Buffer): void {
  if (bytes.length > 0) bytes[bytes.length >> 1]! ^= 1;
}
