import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '../disk.ts';
import type { ServerSettings } from '../settings.ts';

/** File in the data folder that holds the key where no setting gives one. */
export const KEY_FILE = 'secret.key';
/** Only its owner reads it. */
const KEY_MODE = 0o600;

const CIPHER = 'aes-256-gcm';
/** Bytes of a nonce, as GCM has them. */
const NONCE = 12;
/** Bytes of the mark by which a changed text is told. */
const TAG = 16;
/** Form of a sealed text, so that another one can follow. */
const VERSION = 'v1';

const keys = new WeakMap<ServerSettings, Promise<Buffer>>();

/** The key file's text; a new one is made where there is none, by whoever comes first. */
async function readKeyFile(folder: string): Promise<string> {
  const path = join(folder, KEY_FILE);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(path, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: KEY_MODE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(path, 'utf8')).trim();
}

/** Whether there is a key already: none is made by asking. */
export const hasKey = async ({ SECRET_KEY, DATA_DIR }: ServerSettings): Promise<boolean> =>
  SECRET_KEY !== undefined || isThere(join(DATA_DIR, KEY_FILE));

/** The key of this installation: 256 bits. */
function sealingKeyOf(settings: ServerSettings): Promise<Buffer> {
  let key = keys.get(settings);
  if (!key) {
    const text = settings.SECRET_KEY ? Promise.resolve(settings.SECRET_KEY) : readKeyFile(settings.DATA_DIR);
    key = text.then((secret) => createHash('sha256').update(secret).digest());
    // A disk that was full for a moment is no reason to fail for ever.
    key.catch(() => keys.delete(settings));
    keys.set(settings, key);
  }
  return key;
}

/**
 * Seals a token for the database (AES-256-GCM), so that a copy of the database alone does not open an account.
 * @param place what it belongs to; put into another place it does not open
 */
export async function sealToken(settings: ServerSettings, place: string, token: string): Promise<string> {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, await sealingKeyOf(settings), nonce, { authTagLength: TAG });
  cipher.setAAD(Buffer.from(place));
  const sealed = Buffer.concat([nonce, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}.${sealed.toString('base64url')}`;
}

/** The token that was sealed; null where the key or the place is another one, or the text was changed. */
export async function openToken(settings: ServerSettings, place: string, sealed: string): Promise<string | null> {
  const [version, text = ''] = sealed.split('.');
  const bytes = Buffer.from(text, 'base64url');
  if (version !== VERSION || bytes.length < NONCE + TAG) return null;
  const opener = createDecipheriv(CIPHER, await sealingKeyOf(settings), bytes.subarray(0, NONCE), {
    authTagLength: TAG,
  });
  opener.setAAD(Buffer.from(place));
  opener.setAuthTag(bytes.subarray(-TAG));
  try {
    return opener.update(bytes.subarray(NONCE, -TAG), undefined, 'utf8') + opener.final('utf8');
  } catch {
    return null;
  }
}
