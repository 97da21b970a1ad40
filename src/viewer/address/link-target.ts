import type { Navigation } from '../../../engine/document/navigation.ts';

/** Public path of a link to another room. */
export function linkPathOf(navigation: Extract<Navigation, { type: 'space' | 'slug' }>): string {
  if (navigation.type === 'space') return navigation.type_config.endpoint_url;
  const { slug_one, slug_two } = navigation.type_config;
  return `/${[slug_one, slug_two].filter(Boolean).map(encodeURIComponent).join('/')}`;
}

/**
 * Returns the absolute URL if it is https or same-origin.
 * @returns null if the URL must not be followed
 */
export function safeUrl(address: string): string | null {
  if (!URL.canParse(address, location.href)) return null;
  const url = new URL(address, location.href);
  return url.protocol === 'https:' || url.origin === location.origin ? url.href : null;
}
