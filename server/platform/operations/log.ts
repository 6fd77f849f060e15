/** Creates the log: JSON lines on standard output, buffered, and flushed at exit. */
import cluster from 'node:cluster';
import pino, { type Logger } from 'pino';

/**
 * Buffer size in bytes. Lines wait until the buffer is full or a second has passed, because one write per request costs
 * more than the request.
 */
const bufferBytes = 8192;
/**
 * Buffer size of a worker in bytes. All workers write to one pipe, and only writes below 4,096 bytes stay in one piece.
 */
const workerBufferBytes = 2048;
const flushMs = 1000;

export interface LogOptions {
  logLevel: string;
}

export function createLog({ logLevel }: LogOptions): Logger {
  const destination = pino.destination({
    sync: false,
    minLength: cluster.isWorker ? workerBufferBytes : bufferBytes,
  });
  setInterval(() => destination.flush(), flushMs).unref();
  process.on('exit', () => destination.flushSync());
  return pino(
    {
      level: logLevel,
      base: cluster.isWorker ? { worker: cluster.worker!.id } : null,
      timestamp: createTimestamp(),
      redact: ['req.headers.authorization', 'headers.authorization', 'password', 'token'],
    },
    destination,
  );
}

/** Returns timestamps like pino's own `isoTime`, but formats the date only once per second. */
function createTimestamp(): () => string {
  let second = 0;
  let textOfSecond = '';
  return () => {
    const now = Date.now();
    const ms = now % 1000;
    if (now - ms !== second) {
      second = now - ms;
      textOfSecond = new Date(second).toISOString().slice(0, -'000Z'.length);
    }
    return `,"time":"${textOfSecond}${String(ms).padStart(3, '0')}Z"`;
  };
}
