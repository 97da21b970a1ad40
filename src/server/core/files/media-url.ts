/** Where stored files are served. */
export const MEDIA_PREFIX = '/media';

/** Most bytes of a path in a content's folder, and of each name in it: more than those of any archive. */
const MAX_PATH_LENGTH = 950;
const MAX_NAME_LENGTH = 255;

/** Whether a path stays inside its content's folder, shows none of the store's own files, and could be one of a disk. */
export const isPlainPath = (path: string): boolean =>
  Buffer.byteLength(path) <= MAX_PATH_LENGTH &&
  path.split('/').every((part) => part !== '' && !part.startsWith('.') && Buffer.byteLength(part) <= MAX_NAME_LENGTH);

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
