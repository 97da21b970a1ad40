import { createHmac } from 'node:crypto';
import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { addressSubject } from '../../core/limits/attempts.ts';
import { createToken } from '../../core/secrets/token.ts';

/** The day of a moment in UTC. */
const dayOf = (clock: Clock): string => timestampOf(clock.now()).slice(0, 10);

/** Forgets the salts of earlier days: nobody can say any more who the visitors of these were. */
export async function forgetSalts(db: Database, clock: Clock): Promise<void> {
  await db.deleteFrom('statistics_salts').where('day', '<', dayOf(clock)).execute();
}

/** The salt of today: of several servers that make one, the first one's counts for all. */
async function saltOf(db: Database, clock: Clock, day: string): Promise<string> {
  await forgetSalts(db, clock);
  await db
    .insertInto('statistics_salts')
    .values({ day, salt: createToken() })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute();
  const { salt } = await db
    .selectFrom('statistics_salts')
    .select('salt')
    .where('day', '=', day)
    .executeTakeFirstOrThrow();
  return salt;
}

/** Who visits, as far as a request tells. */
export interface Visitor {
  organizationId: number;
  address: string;
  userAgent: string;
}

/**
 * Tells visitors of one day apart by a hash (HMAC-SHA-256, RFC 2104) of organization, network and program. Its key is made
 * anew each day and forgotten, so that tomorrow it leads to nobody, and nobody is the same as the day before.
 */
export class VisitorHashes {
  readonly #db: Database;
  readonly #clock: Clock;
  #known: { day: string; salt: Promise<string> } | undefined;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async of({ organizationId, address, userAgent }: Visitor): Promise<string> {
    const day = dayOf(this.#clock);
    if (this.#known?.day !== day) {
      const known = { day, salt: saltOf(this.#db, this.#clock, day) };
      this.#known = known;
      known.salt.catch(() => {
        if (this.#known === known) this.#known = undefined;
      });
    }
    return createHmac('sha256', await this.#known.salt)
      .update(JSON.stringify([organizationId, addressSubject(address), userAgent]))
      .digest('base64url')
      .slice(0, 22);
  }
}
