import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, type Rollup } from 'vite';

/** Serves the baseline pages from memory. Usage: `node serve-bare.ts <folder> <picture>`; prints the URLs of both. */
const [, picture] = process.argv.slice(2) as [string, string];

async function scriptOf(name: string): Promise<Buffer> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: join(import.meta.dirname, `${name}.ts`), formats: ['es'] },
    },
  });
  const [{ output }] = built as Rollup.RollupOutput[] as [Rollup.RollupOutput];
  return brotliCompressSync(output[0].code);
}

const page = (name: string) =>
  `<!doctype html><style>body{margin:0}canvas{width:100vw;height:100vh;display:block}</style><body><script type="module" src="/${name}.js"></script>`;

const files = new Map<string, { type: string; content: Buffer | string; encoding?: string }>();
for (const name of ['bare-three', 'bare-webgl']) {
  files.set(`/${name}`, { type: 'text/html; charset=utf-8', content: page(name) });
  files.set(`/${name}.js`, { type: 'text/javascript', content: await scriptOf(name), encoding: 'br' });
}
files.set('/panorama.jpg', { type: 'image/jpeg', content: await readFile(picture) });

const server = createServer((request, response) => {
  const file = files.get(request.url ?? '');
  if (!file) return response.writeHead(404).end();
  const headers = { 'content-type': file.type, 'cache-control': 'max-age=60' };
  response.writeHead(200, file.encoding ? { ...headers, 'content-encoding': file.encoding } : headers);
  return response.end(file.content);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address() as { port: number };
  const origin = `http://127.0.0.1:${address.port}`;
  console.log(JSON.stringify({ three: `${origin}/bare-three`, webgl: `${origin}/bare-webgl` }));
});
