import type { Clock } from '../clock.ts';
import { type Database, queryDirectly } from '../db/database.ts';
import { KEY_NOTE, readNote, writeNote } from '../db/notes.ts';
import { type Finding, WELL } from '../health.ts';
import type { ServerSettings } from '../settings.ts';
import { hasKey, KEY_FILE, openToken, sealToken } from './seal-token.ts';

/** Encryption context of the check, and its plaintext. */
const PLACE = 'installation';
const TEXT = 'enfilade';

/** A key that can't decrypt the database's secrets; the message says what to do. */
class WrongKey extends Error {}

interface Keyed {
  db: Database;
  clock: Clock;
  settings: ServerSettings;
}

const opens = async (settings: ServerSettings, sealed: string): Promise<boolean> =>
  (await openToken(settings, PLACE, sealed)) === TEXT;

const noted = async ({ db }: Keyed): Promise<string | null> => (await readNote(db, KEY_NOTE))?.sealed ?? null;

function wrongKey({ SECRET_KEY, DATA_DIR }: ServerSettings): WrongKey {
  const wrong = SECRET_KEY
    ? "SECRET_KEY doesn't match the key that encrypted this database. Start with the previous key"
    : `The key file ${KEY_FILE} in DATA_DIR (${DATA_DIR}) is missing, or doesn't match the key that encrypted this database. Restore the previous file, or set SECRET_KEY to its content`;
  return new WrongKey(
    `${wrong}. If it is lost, run \`enfilade key --replace\`; platform accounts, second factors and sign-in providers must then be set up again.`,
  );
}

/** Encrypts the check with the current key, replacing an older one. */
export async function replaceKey({ db, clock, settings }: Keyed): Promise<void> {
  await writeNote(db, clock, KEY_NOTE, { sealed: await sealToken(settings, PLACE, TEXT) });
}

/**
 * Requires the current key to be that of the database. A database without a check, such as a new one or one of an older
 * version, gets one.
 * @throws WrongKey
 */
export async function requireKey(keyed: Keyed): Promise<void> {
  const { db, clock, settings } = keyed;
  const before = await noted(keyed);
  if (before === null) {
    const sealed = await sealToken(settings, PLACE, TEXT);
    await writeNote(db, clock, KEY_NOTE, { sealed }, { isFirst: true });
  } else if (!(await hasKey(settings))) throw wrongKey(settings);
  // Another server may have been first.
  const sealed = before ?? (await noted(keyed));
  if (sealed === null || !(await opens(settings, sealed))) throw wrongKey(settings);
}

/** Checks that the key is still that of the database: another one may have been restored. */
export const keyCheck = (keyed: Keyed) => async (): Promise<Finding> => {
  try {
    const rows = await queryDirectly(keyed.db, `select value from installation_notes where name = '${KEY_NOTE}'`);
    const sealed: unknown = rows[0] && JSON.parse(String(rows[0].value)).sealed;
    if (typeof sealed !== 'string' || (await opens(keyed.settings, sealed))) return WELL;
    return {
      state: 'failed',
      problem: "The key doesn't match the one that encrypted the database. Restart the server with the correct key.",
    };
  } catch {
    // An unavailable database doesn't mean that the key is wrong.
    return WELL;
  }
};
