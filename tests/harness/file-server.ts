import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  wasm: 'application/wasm',
  mp4: 'video/mp4',
  xml: 'application/xml',
};

/** A folder on a port of its own. */
export interface FileServer {
  origin: string;
  /** Paths, with their queries, for which there was no file. */
  missing: string[];
  close(): Promise<unknown>;
}

/** Serves the files of a folder as they are: a query is part of a name, and a folder has an index page. */
export async function serveFolder(folder: string): Promise<FileServer> {
  const missing: string[] = [];
  const server = createServer(async ({ url = '/' }, response) => {
    const path = decodeURIComponent(url);
    const found = await stat(join(folder, path)).catch(() => null);
    const file = join(folder, path, ...(found?.isDirectory() ? ['index.html'] : []));
    if (!found || !(await stat(file).catch(() => null))) {
      missing.push(url);
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', TYPES[file.split('.').at(-1)!] ?? 'application/octet-stream');
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    origin: `http://127.0.0.1:${port}`,
    missing,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
