import type { Navigation } from '../../../../engine/document/navigation.ts';
import { escapeHtml } from '../../core/html/escape.ts';

/** An origin that does not exist: what resolves to it is an address of this site. */
const HERE = 'https://here.invalid';

/** An address that may be followed or shown: over https, or of this site; null otherwise. */
export function safeAddress(address: string): string | null {
  if (address.trim() === '' || !URL.canParse(address, HERE)) return null;
  const url = new URL(address, HERE);
  if (url.origin === HERE) return url.pathname + url.search + url.hash;
  return url.protocol === 'https:' ? url.href : null;
}

/** The text page of another room. */
const twinOf = (path: string): string | null => {
  const address = safeAddress(path);
  return address === null ? null : `${address.split(/[?#]/)[0]}?text`;
};

/** Where a link leads to on a text page; null where only the room itself can follow it. */
export function linkAddress(navigation: Navigation, path: string): string | null {
  switch (navigation.type) {
    case 'space':
      return twinOf(navigation.type_config.endpoint_url);
    case 'slug': {
      const { slug_one, slug_two } = navigation.type_config;
      return slug_one ? twinOf(`/${[slug_one, slug_two].filter(Boolean).map(encodeURIComponent).join('/')}`) : null;
    }
    case 'url':
    case 'modal_url':
      return safeAddress(navigation.type_config.url);
    case 'view_point': {
      const id = navigation.type_config.view_point_id;
      return id === null ? null : `${path}#view_point=${id}`;
    }
    default:
      return null;
  }
}

/**
 * A link with its words, or the words alone where it leads nowhere; what it would show in a dialog stands below.
 * @param words HTML
 */
export function linkHtml(navigation: Navigation | undefined, words: string, path: string): string {
  if (!navigation) return words;
  if (navigation.type === 'modal_content') {
    const { title, content } = navigation.type_config;
    return `<details><summary>${words || escapeHtml(title)}</summary>${content}</details>`;
  }
  const address = linkAddress(navigation, path);
  return address === null ? words : `<a href="${escapeHtml(address)}">${words}</a>`;
}
