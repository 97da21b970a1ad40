import { open } from 'node:fs/promises';

/** Bytes used to detect a text file's encoding. */
const HEAD_BYTES = 16 * 1024;
/** MIME types of precompressed files, as game engines export them. */
const PACKED_TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  data: 'application/octet-stream',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  mem: 'application/octet-stream',
  mjs: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
};
const ENCODINGS: Record<string, string> = { br: 'br', gz: 'gzip' };
/** Text types that the static file plugin would always label UTF-8. */
const TEXTS: Record<string, string> = {
  css: 'text/css',
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  js: 'text/javascript',
  mjs: 'text/javascript',
  txt: 'text/plain',
};

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  const { buffer, bytesRead } = await handle
    .read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    .finally(() => handle.close());
  return buffer.subarray(0, bytesRead);
}

/** Whether bytes are UTF-8; the last character may be truncated. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * The encoding declared in a page:
 * https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding
 */
function ownCharset(head: Buffer): string | undefined {
  const tags = head.toString('latin1', 0, 4096).match(/<meta\b[^<>]{0,300}>/gi) ?? [];
  const [name] = tags.flatMap((tag) => /\bcharset\s*=[\s"']*([\w:-]{1,40})/i.exec(tag)?.[1] ?? []);
  return name;
}

/**
 * Headers for a file of an uploaded page: Content-Encoding of precompressed files, and the charset of texts.
 * @param path path in the page
 */
export async function siteHeaders(path: string, file: string): Promise<Record<string, string>> {
  const [, inner = '', packing = ''] = /\.(\w+)\.(gz|br)$/i.exec(path.toLowerCase()) ?? [];
  const type = PACKED_TYPES[inner];
  if (type) return { 'content-type': type, 'content-encoding': ENCODINGS[packing]! };
  const text = TEXTS[/\.(\w+)$/.exec(path.toLowerCase())?.[1] ?? ''];
  if (!text) return {};
  const head = await headOf(file);
  const own = text === 'text/html' ? ownCharset(head) : undefined;
  if (own) return { 'content-type': `${text}; charset=${own}` };
  // Scripts and styles without a charset inherit that of their page.
  return { 'content-type': isUtf8(head) ? `${text}; charset=utf-8` : text };
}
