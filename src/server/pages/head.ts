import type { Element } from '../../../engine/document/element.ts';
import { panoramaOf } from '../../../engine/document/panorama.ts';
import { walk } from '../../../engine/document/tree.ts';
import type { PublicRoom } from '../../contract/entities.ts';
import type { VisitData } from '../../contract/visit-data.ts';
import { textOfHtml } from '../html/sanitize-html.ts';
import { escapeHtml } from './escape.ts';

/** Most characters of a page's description: search engines show no more. */
const DESCRIPTION = 160;
/** Characters of HTML that are read for it. */
const READ = 4000;

/** Where a page stands. */
export interface PagePlace {
  /** Scheme, host and port under which visitors reach the server; null when it is not known. */
  origin: string | null;
  /** Public path. */
  path: string;
}

function shorten(text: string): string {
  if (text.length <= DESCRIPTION) return text;
  const cut = text.slice(0, DESCRIPTION - 1).toWellFormed();
  return `${cut.replace(/(?<!\s)\s+\S*$/, '') || cut}…`;
}

const pictureOf = (element: Element): string | undefined => {
  if (element.element !== 'image') return undefined;
  return element.config.file_url || element.file?.url;
};

/** A picture that stands for a room: its panorama or background, otherwise its first image. */
function previewOf({ template, elements }: PublicRoom): string | undefined {
  const panorama = template?.model_type === 'pano' ? template.file?.url : undefined;
  const background = template?.background_file?.url;
  if (panorama || background) return panorama ?? background;
  for (const element of walk(elements)) {
    const picture = pictureOf(element);
    if (picture) return picture;
  }
  return undefined;
}

const meta = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}" />`;
const property = (name: string, content: string) => `<meta property="${name}" content="${escapeHtml(content)}" />`;

/** What search engines, link previews and the browser's preloader read of a public page. */
export function pageHead({ settings, endpoint, problem, preview }: VisitData, { origin, path }: PagePlace): string {
  const isHome = path === '/';
  const title = (isHome ? settings.meta_title : '') || (endpoint?.name ?? settings.name);
  const words = textOfHtml((endpoint?.room?.description ?? '').slice(0, READ)) || settings.meta_description;
  const description = problem ? '' : shorten(words);
  const room = endpoint?.room;
  const picture = room ? previewOf(room) : undefined;
  const file = room?.template?.model_type === 'pano' ? room.template.file : null;
  const panorama = file && panoramaOf(file);
  // What the page carries itself need not be asked for.
  const small = preview ? undefined : panorama?.small;
  const absolute = (url: string) => (origin && URL.canParse(url, origin) ? new URL(url, origin).href : undefined);
  const address = absolute(path);
  const image = picture && absolute(picture);
  return [
    `<title>${escapeHtml(title)}</title>`,
    description && meta('description', description),
    meta('robots', isHome && !problem ? 'index,follow' : 'noindex,nofollow'),
    address && !problem && `<link rel="canonical" href="${escapeHtml(address)}" />`,
    property('og:title', title),
    description && property('og:description', description),
    property('og:type', 'website'),
    address && !problem && property('og:url', address),
    image && property('og:image', image),
    small &&
      `<link rel="preload" as="fetch" fetchpriority="high" crossorigin="anonymous" href="${escapeHtml(small)}" />`,
    panorama && `<link rel="preload" as="fetch" crossorigin="anonymous" href="${escapeHtml(panorama.url)}" />`,
  ]
    .filter(Boolean)
    .join('\n    ');
}
