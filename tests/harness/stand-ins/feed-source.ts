import { type Reply, type Seen, StandIn } from './stand-in.ts';

/** An RSS feed with these items. */
export const rss = (...items: string[]) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>T</title><link>https://example.org/</link>${items.join('')}</channel></rss>`;
/** An item of an RSS feed. */
export const item = (index: number, inner = '') =>
  `<item><guid isPermaLink="false">item-${index}</guid><title>Item ${index}</title><pubDate>Tue, 10 Mar 2026 10:${String(index % 60).padStart(2, '0')}:00 GMT</pubDate>${inner}</item>`;

/** An external server that serves files by path. */
export class FeedSource extends StandIn {
  readonly files = new Map<string, { type: string; text: string }>();

  put(path: string, text: string, type = 'application/xml'): string {
    this.files.set(path, { type, text });
    return `${this.url}${path}`;
  }

  protected override error(status: number): Reply {
    return { status };
  }

  protected override answer({ path }: Seen): Reply {
    const file = this.files.get(path);
    return file ? { headers: { 'content-type': file.type }, json: file.text } : { status: 404 };
  }
}
