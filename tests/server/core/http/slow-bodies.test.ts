import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endSlowBodies } from '../../../../src/server/core/http/slow-bodies.ts';

const EVERY = 3000;
const LEAST = 1000;
/** More looks than any short while has. */
const LOOKS = 22;

describe('the body of a request', () => {
  let app: FastifyInstance;
  let port: number;
  let ended: string[];
  /** Bytes that the server has read; null before it knows of the request. */
  let read: number | null;
  let goOn: () => void;
  beforeEach(async () => {
    ended = [];
    read = null;
    const { promise, resolve } = Promise.withResolvers<void>();
    goOn = resolve;
    // The looks come when the tests say so; all else takes its own time.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    app = fastify();
    endSlowBodies(app, { every: EVERY, least: LEAST });
    app.addHook('onRequest', async () => {
      read = 0;
    });
    app.addContentTypeParser('*', (_, payload, done) => done(null, payload));
    app.post('/taken', async ({ raw }) => {
      raw.once('close', () => ended.push(raw.complete ? 'whole' : 'cut'));
      for await (const chunk of raw) read! += (chunk as Buffer).length;
      return { bytes: read };
    });
    app.post('/kept-waiting', async ({ raw }) => {
      await once(raw, 'readable');
      ended.push('kept');
      await promise;
      for await (const chunk of raw) read! += (chunk as Buffer).length;
      return { bytes: read };
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = app.server.address() as { port: number });
  });
  afterEach(async () => {
    await app.close();
    vi.useRealTimers();
  });

  const look = () => vi.advanceTimersByTime(EVERY);
  /** Begins a request with a body whose length is not told; its answer comes as text. */
  function begin(path: string) {
    const request = httpRequest({ port, path, method: 'POST', headers: { 'content-type': 'x/y' } });
    const answer = once(request, 'response').then(async ([response]) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      return JSON.parse(text);
    });
    return { request, answer };
  }

  it('security 33: ends with a 408 when hardly anything of it comes, and the line is cut', async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    socket.on('error', () => {});
    socket.write('POST /taken HTTP/1.1\r\nhost: x\r\ncontent-type: x/y\r\ncontent-length: 900000\r\n\r\n');
    for (let byte = 1; byte < 30; byte++) {
      socket.write('1');
      await expect.poll(() => read, { interval: 5 }).toBe(byte);
    }
    look();
    // Who goes on all the same finds that nobody is there.
    await expect
      .poll(() => {
        socket.write('1');
        return socket.destroyed;
      })
      .toBe(true);
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!).code).toBe('timeout');
    expect(ended).toEqual(['cut']);
  });

  it('may come slowly for as long as it needs while it goes on coming', async () => {
    const { request, answer } = begin('/taken');
    request.flushHeaders();
    await expect.poll(() => read).toBe(0);
    for (let piece = 1; piece <= LOOKS; piece++) {
      request.write('x'.repeat(LEAST));
      await expect.poll(() => read, { interval: 5 }).toBe(LEAST * piece);
      look();
    }
    request.end();
    expect(await answer).toEqual({ bytes: LEAST * LOOKS });
    expect(ended).toEqual(['whole']);
  });

  it('is not held against the sender while the server does not read it', async () => {
    const { request, answer } = begin('/kept-waiting');
    request.write('x'.repeat(100));
    await expect.poll(() => ended).toEqual(['kept']);
    for (let piece = 1; piece <= LOOKS; piece++) look();
    request.end('x'.repeat(100));
    goOn();
    expect(await answer).toEqual({ bytes: 200 });
  });
});
