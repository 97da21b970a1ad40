import type { CountryOf } from '../../base/countries.ts';
import type { Services } from '../services.ts';
import { BeaconLimit } from './beacon-limit.ts';
import { VisitorHashes } from './salts.ts';
import { VisitBuffer } from './visit-buffer.ts';

/** What counts visits, for as long as a server runs. */
export interface VisitCounting {
  buffer: VisitBuffer;
  limit: BeaconLimit;
  hashes: VisitorHashes;
  countryOf: CountryOf;
  /** Whether there is a database of countries. */
  hasCountries: boolean;
}

export const createVisitCounting = (
  { db, clock, settings }: Pick<Services, 'db' | 'clock' | 'settings'>,
  countryOf: CountryOf,
): VisitCounting => ({
  buffer: new VisitBuffer(db, clock),
  limit: new BeaconLimit(clock),
  hashes: new VisitorHashes(db, clock),
  countryOf,
  hasCountries: settings.COUNTRY_DATABASE !== undefined,
});
