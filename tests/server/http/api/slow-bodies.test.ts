import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as passed } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endSlowBodies } from '../../../../src/server/http/api/slow-bodies.ts';

const EVERY = 3000;
const LEAST = 1000;

describe('the body of a request', () => {
  let app: FastifyInstance;
  let port: number;
  let ended: string[];
  beforeEach(async () => {
    ended = [];
    app = fastify();
    endSlowBodies(app, { every: EVERY, least: LEAST });
    app.addContentTypeParser('*', (_, payload, done) => done(null, payload));
    app.post('/taken', async ({ raw }) => {
      raw.once('close', () => ended.push(raw.complete ? 'whole' : 'cut'));
      let bytes = 0;
      for await (const chunk of raw) bytes += (chunk as Buffer).length;
      return { bytes };
    });
    app.post('/kept-waiting', async ({ raw }) => {
      await once(raw, 'readable');
      await passed(EVERY * 2.2);
      let bytes = 0;
      for await (const chunk of raw) bytes += (chunk as Buffer).length;
      return { bytes };
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = app.server.address() as { port: number });
  });
  afterEach(() => app.close());

  /** Sends pieces with a pause between them; gives the answer. */
  async function send(path: string, piece: string, count: number, pause: number): Promise<string> {
    const request = httpRequest({ port, path, method: 'POST', headers: { 'content-type': 'x/y' } });
    const answered = once(request, 'response');
    for (let index = 0; index < count; index++) {
      request.write(piece);
      await passed(pause);
    }
    request.end();
    const [response] = await answered;
    let text = '';
    for await (const chunk of response) text += chunk;
    return text;
  }

  it('security 33: ends with a 408 when hardly anything of it comes, and the line is cut', async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write('POST /taken HTTP/1.1\r\nhost: x\r\ncontent-type: x/y\r\ncontent-length: 900000\r\n\r\n');
    const drip = setInterval(() => socket.write('1'), 100);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!).code).toBe('timeout');
    expect(ended).toEqual(['cut']);
  });

  it('may come slowly for as long as it needs while it goes on coming', async () => {
    expect(JSON.parse(await send('/taken', 'x'.repeat(LEAST), 66, EVERY / 30))).toEqual({ bytes: LEAST * 66 });
    expect(ended).toEqual(['whole']);
  });

  it('is not held against the sender while the server does not read it', async () => {
    expect(JSON.parse(await send('/kept-waiting', 'x'.repeat(100), 2, 10))).toEqual({ bytes: 200 });
  });
});
