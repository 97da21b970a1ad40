import { COPY_KINDS, copyPath } from '../../engine/document/copy-url.ts';

/**
 * Path of a page, response or file in a static site, where no address has a query: `/hall?lang=nl` is `/hall/index.nl.html`,
 * `/hall?text` is `/hall/text.html`, `/media/…/a.jpg?width=490` is `/media/…/a.jpg.width-490.webp`, and
 * `/api/v1/endpoints/hall` is `/api/v1/endpoints/hall.json`. A fragment is kept.
 * @param url path with an optional query and fragment, as on the server
 */
export function staticPath(url: string): string {
  const [address = '', ...fragments] = url.split('#');
  const [path = '', query] = address.split('?');
  const asked = new URLSearchParams(query);
  const language = asked.get('lang');
  const tag = language ? `.${language}` : '';
  const hash = fragments.length > 0 ? `#${fragments.join('#')}` : '';
  const kind = COPY_KINDS.find((each) => asked.has(each));
  if (path.startsWith('/media/')) return (kind ? copyPath(path, kind, asked.get(kind)!) : path) + hash;
  if (path.startsWith('/api/')) return `${path}${tag}.json`;
  if (/\.\w+$/.test(path)) return path + hash;
  const folder = path.replace(/\/$/, '');
  if (asked.has('text')) return `${folder}/text${tag}.html${hash}`;
  return `${folder}/${tag && `index${tag}.html`}${hash}`;
}
