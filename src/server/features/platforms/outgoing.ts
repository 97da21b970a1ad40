import type { Services } from '../../core/services.ts';
import { GuardedClient, type GuardOptions } from '../../providers/guarded-client.ts';
import { createPlatforms, type Platforms } from '../../providers/platforms.ts';
import { siteOf } from '../organizations/site-of.ts';
import { openCredentials, readStored, stateOf } from './queries.ts';

/** The clients of an organization, valid until its credentials change. */
interface Made {
  state: string;
  platforms: Promise<Platforms>;
}

/**
 * All outgoing requests of the server. Each organization has its own platform clients, with its own accounts and tokens;
 * they are created on first use, and again after a change of its credentials.
 */
export class Outgoing {
  /** For user-supplied URLs. */
  readonly guarded: GuardedClient;
  readonly #services: Pick<Services, 'db' | 'settings' | 'clock'>;
  readonly #made = new Map<number, Made>();

  constructor(services: Pick<Services, 'db' | 'settings' | 'clock'>, guard?: GuardOptions) {
    this.#services = services;
    this.guarded = new GuardedClient(guard);
  }

  /** The platforms of an organization. Always reads the database, because another server may have changed the credentials. */
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
    // Don't cache a failure, such as a temporarily unreadable key file.
    platforms.catch(() => {
      if (this.#made.get(organizationId) === made) this.#made.delete(organizationId);
    });
    return platforms;
  }
}

declare module '../../core/services.ts' {
  interface Services {
    /** Platform clients by organization. */
    outgoing: Outgoing;
  }
}
