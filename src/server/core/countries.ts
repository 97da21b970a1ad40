import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { Reader } from 'mmdb-lib';
import { SettingsError } from './settings.ts';

/** The part of a database entry that is used. */
interface CountryEntry {
  country?: { iso_code?: string };
}

/** Maps an IP address to an ISO 3166-1 alpha-2 code; empty if unknown. */
export type CountryOf = (address: string) => string;

/**
 * Opens a local country database in MaxMind's format (https://maxmind.github.io/MaxMind-DB/). It is held in memory; no
 * address leaves the machine.
 * @param file its path; if undefined, all countries are unknown
 * @throws SettingsError if it can't be read
 */
export async function openCountries(file: string | undefined): Promise<CountryOf> {
  if (file === undefined) return () => '';
  try {
    const reader = new Reader(await readFile(file));
    return (address) => {
      const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
      if (isIP(plain) === 0) return '';
      const code = (reader.get(plain) as CountryEntry | null)?.country?.iso_code;
      return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : '';
    };
  } catch (error) {
    throw new SettingsError(
      `COUNTRY_DATABASE can't be read: ${(error as Error).message}. Use a file such as GeoLite2-Country.mmdb and start again.`,
    );
  }
}
