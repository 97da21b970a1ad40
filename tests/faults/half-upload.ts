import type { Socket } from 'node:net';

/** Begins an upload of a megabyte by hand, so that it need not come to its end. */
export function beginUpload(socket: Socket, origin: string, token: string): void {
  const lines = [
    'POST /api/v1/backend/media HTTP/1.1',
    `Host: ${new URL(origin).host}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: multipart/form-data; boundary=x',
    'Content-Length: 1000000',
    '',
    '--x',
    'content-disposition: form-data; name="file"; filename="slow.png"',
    '',
    '',
  ];
  socket.write(lines.join('\r\n'));
}
