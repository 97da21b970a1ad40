/** URL prefix of stored files. */
export const MEDIA_PREFIX = '/media';

/** Maximum length in bytes of a path in a content's folder, and of each segment: longer than any archive's. */
const MAX_PATH_LENGTH = 950;
const MAX_NAME_LENGTH = 255;

/** Whether a path stays inside its content's folder, exposes no internal files, and is valid on disk. */
export const isPlainPath = (path: string): boolean =>
  Buffer.byteLength(path) <= MAX_PATH_LENGTH &&
  path.split('/').every((part) => part !== '' && !part.startsWith('.') && Buffer.byteLength(part) <= MAX_NAME_LENGTH);

/**
 * URL of a stored file. It contains the content's hash, so it can be cached forever.
 * @param file hash of the stored content and path of its main file
 */
export function mediaUrl({ hash, entry }: { hash: string; entry: string }): string {
  return `${MEDIA_PREFIX}/${hash}/${entry.split('/').map(encodeURIComponent).join('/')}`;
}

const ADDRESS = new RegExp(`^${MEDIA_PREFIX}/([0-9a-f]{64})/([^?#]+)$`);

/** Parses the URL of a stored file; null if it is none. */
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
