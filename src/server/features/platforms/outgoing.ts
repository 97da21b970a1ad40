import type { Services } from '../../core/services.ts';
import { GuardedClient, type GuardOptions } from '../../providers/guarded-client.ts';
import { createPlatforms, type Platforms } from '../../providers/platforms.ts';
import { siteOf } from '../organizations/site-of.ts';
import { openCredentials, readStored, stateOf } from './queries.ts';

/** What is made for an organization, for as long as its credentials stay as they are. */
interface Made {
  state: string;
  platforms: Promise<Platforms>;
}

/**
 * Everything that the server asks of others. Each organization has platforms of its own, with its own accounts, tokens and
 * pages; they are made when first asked for, and anew as soon as its credentials are others.
 */
export class Outgoing {
  /** For addresses that people enter. */
  readonly guarded: GuardedClient;
  readonly #services: Pick<Services, 'db' | 'settings' | 'clock'>;
  readonly #made = new Map<number, Made>();

  constructor(services: Pick<Services, 'db' | 'settings' | 'clock'>, guard?: GuardOptions) {
    this.#services = services;
    this.guarded = new GuardedClient(guard);
  }

  /** The platforms of an organization. The database is asked each time: another server may have changed what is in it. */
  async of(organizationId: number): Promise<Platforms> {
    const { db, settings, clock } = this.#services;
    const stored = await readStored(db, organizationId);
    const { PUBLIC_URL } = settings;
    const origin = PUBLIC_URL ? (await siteOf({ db, publicUrl: () => PUBLIC_URL }, organizationId)).origin : null;
    const state = `${origin} ${stateOf(stored)}`;
    const known = this.#made.get(organizationId);
    if (known?.state === state) return known.platforms;
    const platforms = openCredentials(settings, organizationId, stored).then((credentials) =>
      createPlatforms(credentials, settings, clock, origin),
    );
    const made = { state, platforms };
    this.#made.set(organizationId, made);
    // A key file that could not be read for a moment is no reason to fail for ever.
    platforms.catch(() => {
      if (this.#made.get(organizationId) === made) this.#made.delete(organizationId);
    });
    return platforms;
  }
}

declare module '../../core/services.ts' {
  interface Services {
    /** Clients of platforms, with the accounts of each organization. */
    outgoing: Outgoing;
  }
}
