/** Where stored files are served. */
export const MEDIA_PREFIX = '/media';

/** Whether a path stays inside its content's folder and shows none of the store's own files. */
export const isPlainPath = (path: string): boolean =>
  path !== '' && path.split('/').every((part) => part !== '' && !part.startsWith('.'));

/**
 * Address of a stored file. It holds the content's hash, so it changes when the content does and may be kept for ever.
 * @param file hash of the stored content and path of its first file
 */
export function mediaUrl({ hash, entry }: { hash: string; entry: string }): string {
  return `${MEDIA_PREFIX}/${hash}/${entry.split('/').map(encodeURIComponent).join('/')}`;
}

const ADDRESS = new RegExp(`^${MEDIA_PREFIX}/([0-9a-f]{64})/([^?#]+)$`);

/** What an address of a stored file stands for; null where it is none. */
export function readMediaUrl(url: string): { hash: string; entry: string } | null {
  const [, hash, path] = ADDRESS.exec(url) ?? [];
  if (!hash || !path) return null;
  try {
    const entry = decodeURIComponent(path);
    return isPlainPath(entry) ? { hash, entry } : null;
  } catch {
    return null;
  }
}
