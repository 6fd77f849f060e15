/** A proxy between a gallery and the S3 server that simulates faults of networks and stores. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type S3Fault =
  /** Responds with 500. */
  | 'error'
  /** Responds with 403, as if the keys lacked the permission. */
  | 'forbidden'
  /** Responds that the store is full, in the words of several stores. */
  | keyof typeof fullStoreAnswers
  /** Accepts the request, and never responds. */
  | 'hang'
  /** Cuts the connection before the store gets the request. */
  | 'reset'
  /** Lets the store carry out the request, and cuts the connection instead of responding. */
  | 'lost'
  /** Ends the response in the middle of its body. */
  | 'half'
  /** Stops in the middle of the response body, and keeps the connection open. */
  | 'stall'
  /** Changes one bit of the response body. */
  | 'wrong'
  /** Changes one bit of the request body, while the store gets the SHA-256 of the original bytes. */
  | 'damage'
  /** Changes one bit of the request body, and the store does not check it. */
  | 'garble'
  /** Acts like a store that ignores ranges. */
  | 'rangeless'
  /** Acts like a store whose ETags are not MD5 sums. */
  | 'etag'
  /** Acts like a store that overwrites despite `If-None-Match`. */
  | 'unconditional'
  /** Acts like a store that refuses every request with `If-None-Match`. */
  | 'unimplemented';

/** Status, code and message of stores whose quota or disks are full. radosgw sends no message. */
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
  /** Path of the request, including the query. */
  path: string;
}

export interface S3Proxy {
  url: string;
  /** Returns the fault for a request. Tests replace this function. */
  fault: (asked: S3Request) => S3Fault | undefined;
  /** Returns a body that is sent instead of the store's response, or undefined. */
  answer: (asked: S3Request) => string | undefined;
  /** Called when the store has carried out the request, before the response is passed on. */
  done: (asked: S3Request) => void;
  /** All requests so far. */
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
