import DOMPurify from 'dompurify';
import { publicPath } from './page-place.ts';

/** Maximum length of a description, as in pages from the server. */
const DESCRIPTION = 160;

/** What a page is about. */
interface PageFacts {
  title: string;
  /** HTML of the room. */
  description: string;
  /** The organization's description, for rooms without one. */
  fallback: string;
}

/**
 * Lets the page's canonical URL and social cards follow the room that a door has opened: browsers' share and bookmark
 * functions read them. Images of the first room are removed.
 */
export function describePage({ title, description, fallback }: PageFacts): void {
  const text = DOMPurify.sanitize(description, { RETURN_DOM_FRAGMENT: true }).textContent.replace(/\s+/g, ' ').trim();
  const { href } = new URL(publicPath(), location.href);
  const contents = {
    'link[rel="canonical"]': href,
    'meta[property="og:url"]': href,
    'meta[property="og:title"]': title,
    'meta[property="og:description"]': (text || fallback).slice(0, DESCRIPTION),
    'meta[name="description"]': (text || fallback).slice(0, DESCRIPTION),
  };
  for (const [selector, content] of Object.entries(contents)) {
    const tag = document.head.querySelector(selector);
    tag?.setAttribute(tag instanceof HTMLLinkElement ? 'href' : 'content', content);
  }
  for (const image of document.head.querySelectorAll('meta[property^="og:image"]')) image.remove();
}
