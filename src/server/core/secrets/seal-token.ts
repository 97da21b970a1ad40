import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '../disk.ts';
import type { ServerSettings } from '../settings.ts';

/** Key file in the data folder, used if no setting contains the key. */
export const KEY_FILE = 'secret.key';
/** Owner-only permissions. */
const KEY_MODE = 0o600;

const CIPHER = 'aes-256-gcm';
/** GCM nonce length in bytes. */
const NONCE = 12;
/** GCM authentication tag length in bytes. */
const TAG = 16;
/** Version of the ciphertext format. */
const VERSION = 'v1';

const keys = new WeakMap<ServerSettings, Promise<Buffer>>();

/** Reads the key file; the first caller creates it. */
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

/** Whether a key exists; doesn't create one. */
export const hasKey = async ({ SECRET_KEY, DATA_DIR }: ServerSettings): Promise<boolean> =>
  SECRET_KEY !== undefined || isThere(join(DATA_DIR, KEY_FILE));

/** This installation's key: 256 bits. */
function sealingKeyOf(settings: ServerSettings): Promise<Buffer> {
  let key = keys.get(settings);
  if (!key) {
    const text = settings.SECRET_KEY ? Promise.resolve(settings.SECRET_KEY) : readKeyFile(settings.DATA_DIR);
    key = text.then((secret) => createHash('sha256').update(secret).digest());
    // A disk that was full for a moment must not fail all later calls.
    key.catch(() => keys.delete(settings));
    keys.set(settings, key);
  }
  return key;
}

/**
 * Encrypts a token for the database (AES-256-GCM), so that a copy of the database alone doesn't open an account.
 * @param place authenticated context; the token can't be decrypted in another one
 */
export async function sealToken(settings: ServerSettings, place: string, token: string): Promise<string> {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, await sealingKeyOf(settings), nonce, { authTagLength: TAG });
  cipher.setAAD(Buffer.from(place));
  const sealed = Buffer.concat([nonce, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}.${sealed.toString('base64url')}`;
}

/** Decrypts a token; null if the key or the place differs, or the text was tampered with. */
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
