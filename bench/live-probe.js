// Worker thread that requests /health/live every 50 ms. A separate thread is needed, because the bench's own
// busy event loop would count as the server's.
// `workerData`: {host, port}. Answers each message with the slowest time since the last message, in ms.
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const question = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
let slowest = 0;

const asker = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
asker.on('message', () => {
  asker.postMessage(slowest);
  slowest = 0;
});

/** Connects from another IP address than the attack, like another client. */
async function ask() {
  const start = performance.now();
  const answer = await new Promise((resolve) => {
    const socket = connect({ ...workerData, localAddress: '127.0.0.2' });
    socket.on('data', (chunk) => resolve(String(chunk))).on('error', () => resolve(''));
    socket.write(question);
    socket.on('close', () => resolve(''));
  });
  // A refused request counts as never answered.
  slowest = Math.max(slowest, answer.startsWith('HTTP/1.1 200') ? performance.now() - start : Infinity);
}

for (;;) {
  await ask();
  await pause(50);
}
