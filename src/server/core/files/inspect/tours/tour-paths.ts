import { damagedScene, quoted, UnusablePlace } from './imported-tour.ts';

/** Maximum characters of a path. */
const MAX_PATH = 1000;

/** The folder of a file, empty for the root. */
export const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');

/** A path without `.`, `..` and empty segments; null if it leaves the root. */
function plainPath(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

const decoded = (text: string): string => {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
};

/**
 * The path in the tour's folder that a URL in its configuration refers to.
 * @param folder folder of the configuration file
 * @param scene key of the scene, for messages
 * @throws UnusablePlace for files on the internet, and values that are no path
 * @throws ApiError bad_file for a path that leaves the folder
 */
export function pathOf(folder: string, url: unknown, scene: string): string {
  if (typeof url !== 'string' || url.trim() === '') throw new UnusablePlace('it has no panorama');
  const address = url.trim().replaceAll('\\', '/');
  if (/^data:/i.test(address)) throw new UnusablePlace('its panorama is embedded; save it as a file');
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address))
    throw new UnusablePlace(`its panorama ${quoted(address)} is on the internet; download it first`);
  if (address.length > MAX_PATH || address.includes('\0'))
    throw damagedScene(scene, `the path ${quoted(address)} is too long or damaged.`);
  const path = plainPath(`${folder}/${decoded(address.replace(/[?#].*$/s, '').replace(/^\//, ''))}`);
  if (path === null) throw damagedScene(scene, `${quoted(address)} is outside the folder of the tour.`);
  if (path === '') throw new UnusablePlace('it has no panorama');
  return path;
}
