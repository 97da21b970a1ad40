import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rollup } from 'vite';

/**
 * Serves the same tour in Photo Sphere Viewer and in pannellum. Usage: `node serve-others.ts <folder> <count>`, with
 * `place-0.jpg` and so on in the folder; prints the URLs of both.
 */
const [folder, count] = process.argv.slice(2) as [string, string];
const VIEWERS = ['photo-sphere-viewer', 'pannellum'] as const;

const files = new Map<string, { type: string; content: Buffer | string; encoding?: string }>();

async function addViewer(name: (typeof VIEWERS)[number]): Promise<void> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(import.meta.dirname, `${name}.ts`), formats: ['es'], cssFileName: name },
    },
  });
  const [{ output }] = built as Rollup.RollupOutput[] as [Rollup.RollupOutput];
  const style = output.find((part) => part.type === 'asset')!.source;
  const page = `<!doctype html><link rel="stylesheet" href="/${name}.css"><style>body{margin:0}#viewer{width:100vw;height:100vh}</style><body><div id="viewer"></div><script type="module" src="/${name}.js"></script>`;
  files.set(`/${name}`, { type: 'text/html; charset=utf-8', content: page });
  files.set(`/${name}.js`, { type: 'text/javascript', content: brotliCompressSync(output[0].code), encoding: 'br' });
  files.set(`/${name}.css`, { type: 'text/css', content: brotliCompressSync(Buffer.from(style)), encoding: 'br' });
}

for (const name of VIEWERS) await addViewer(name);
for (let nth = 0; nth < Number(count); nth++)
  files.set(`/place-${nth}.jpg`, { type: 'image/jpeg', content: await readFile(join(folder, `place-${nth}.jpg`)) });

const server = createServer((request, response) => {
  const file = files.get(new URL(request.url ?? '/', 'http://localhost').pathname);
  if (!file) return response.writeHead(404).end();
  const headers = { 'content-type': file.type, 'cache-control': 'max-age=600' };
  response.writeHead(200, file.encoding ? { ...headers, 'content-encoding': file.encoding } : headers);
  return response.end(file.content);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  const [sphere, pannellum] = VIEWERS.map((name) => `http://127.0.0.1:${port}/${name}?count=${count}`);
  console.log(JSON.stringify({ sphere, pannellum }));
});
