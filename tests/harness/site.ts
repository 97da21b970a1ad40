import { createServer } from 'node:http';

/** Another site on a port of its own. */
export interface Site {
  origin: string;
  close(): Promise<unknown>;
}

/** Serves one page at every URL. */
export async function startSite(html: () => string): Promise<Site> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
