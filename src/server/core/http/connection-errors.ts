import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, type ErrorCode } from '../../../contract/errors.ts';
import { REQUEST_ID } from '../request-id.ts';

/** Milliseconds for the client to read the response before the connection is closed. */
const CLOSE_TIMEOUT = 2000;

const KNOWN: Record<string, { status: number; code: ErrorCode }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'timeout' },
  HPE_HEADER_OVERFLOW: { status: 431, code: 'too_large' },
};

/** Answers malformed HTTP in the standard error format and closes the connection. */
export function answerConnectionError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code } = KNOWN[error.code ?? ''] ?? { status: 400, code: 'bad_request' };
  const id = randomUUID();
  const body = JSON.stringify(new ApiError(code).body(id));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID}: ${id}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => setTimeout(() => socket.destroy(), CLOSE_TIMEOUT).unref());
}
