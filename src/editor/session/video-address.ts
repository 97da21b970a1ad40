/** A video of a platform, by its id there. */
export interface PlatformVideo {
  type: 'youtube' | 'vimeo';
  id: string;
}

const YOUTUBE_HOSTS = /^(?:www\.|m\.|music\.)?youtube(?:-nocookie)?\.com$/;
const YOUTUBE_ID = /^[\w-]{11}$/;
const VIMEO_HOSTS = /^(?:www\.|player\.)?vimeo\.com$/;
const VIMEO_ID = /^\d{4,}$/;

function addressIn(text: string): URL | null {
  const trimmed = text.trim();
  const isBare = /^(?:[\w-]+\.)*(?:youtube|youtube-nocookie|vimeo)\.com\/|^youtu\.be\//i.test(trimmed);
  if (!isBare && !/^https?:\/\//i.test(trimmed)) return null;
  return URL.parse(isBare ? `https://${trimmed}` : trimmed);
}

/** The video of YouTube or Vimeo that an address shows; null for any other text. */
export function videoAt(text: string): PlatformVideo | null {
  const url = addressIn(text);
  if (!url) return null;
  const host = url.hostname.toLowerCase();
  const parts = url.pathname.split('/').filter(Boolean);
  if (host === 'youtu.be' || YOUTUBE_HOSTS.test(host)) {
    const isShort = host === 'youtu.be';
    const named = ['embed', 'shorts', 'live', 'v'].includes(parts[0] ?? '') ? parts[1] : undefined;
    const id = isShort ? parts[0] : (named ?? url.searchParams.get('v') ?? '');
    return YOUTUBE_ID.test(id ?? '') ? { type: 'youtube', id: id! } : null;
  }
  const id = VIMEO_HOSTS.test(host) ? parts.find((part) => VIMEO_ID.test(part)) : undefined;
  return id ? { type: 'vimeo', id } : null;
}
