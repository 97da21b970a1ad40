/** Where stored files are served. */
export const MEDIA_PREFIX = '/media';

/**
 * Address of a stored file. It holds the content's hash, so it changes when the content does and may be kept for ever.
 * @param file hash of the stored content and path of its first file
 */
export function mediaUrl({ hash, entry }: { hash: string; entry: string }): string {
  return `${MEDIA_PREFIX}/${hash}/${entry.split('/').map(encodeURIComponent).join('/')}`;
}
