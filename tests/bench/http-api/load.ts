import { connect } from 'node:net';

/**
 * Requests one URL repeatedly on open connections, as fast as responses arrive.
 * Usage: `node load.ts <url> <token> <seconds> [requests]`; ends after that many requests at the latest. Prints requests per second, requests including the warm-up, and bytes
 * per response as a line of JSON.
 */
const CONNECTIONS = 32;
const WARM_UP = 1000;

const [address, token, seconds, most] = process.argv.slice(2) as [string, string, string, string?];
const url = new URL(address);
const request = Buffer.from(
  `GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nauthorization: Bearer ${token}\r\n\r\n`,
);
let done = 0;
let requests = 0;
let bytes = 0;

/** Sends the next request on a connection once the response is complete. */
function ask(): void {
  const socket = connect(Number(url.port), url.hostname);
  socket.setNoDelay(true);
  let head = '';
  let left = -1;
  socket.on('connect', () => socket.write(request));
  socket.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk.length;
    if (left < 0) {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!head.startsWith('HTTP/1.1 200')) throw new Error(head.slice(0, 200));
      left = Number(/content-length: (\d+)/i.exec(head)![1]);
      bytes = left;
      rest = head.length - end - 4;
      head = '';
    }
    left -= rest;
    if (left > 0) return;
    left = -1;
    done++;
    if (++requests === Number(most)) process.exit(0);
    socket.write(request);
  });
}

for (let index = 0; index < CONNECTIONS; index++) ask();
await new Promise((resolve) => setTimeout(resolve, WARM_UP));
done = 0;
const begun = performance.now();
await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000));
const rate = (done * 1000) / (performance.now() - begun);
console.log(JSON.stringify({ rate, requests, bytes }));
process.exit(0);
