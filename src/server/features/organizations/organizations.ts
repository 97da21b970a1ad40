import { ApiError } from '../../../contract/errors.ts';
import type { Clock } from '../../core/clock.ts';
import { type Database, publishedChangesOf } from '../../core/db/database.ts';
import { LastAnswers } from '../../core/db/last-answers.ts';
import { prepared } from '../../core/db/prepared.ts';
import { normalizeHost } from './host-name.ts';

/** Milliseconds for which a host's organization is believed without asking: what another process changes counts after that. */
const ORGANIZATION_CACHE_LIFETIME = 2000;
/** Most hosts that are remembered: anybody can make some up. */
const MAX_CACHED_HOSTS = 500;

/** The organization of the host, those without a host of their own, and the first one. */
const candidates = prepared((db, host: string) =>
  db
    .selectFrom('organizations')
    .select(['id', 'host'])
    .select((select) =>
      select
        .selectFrom('organizations as all')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .as('total'),
    )
    .where((where) =>
      where.or([
        where('host', '=', host),
        where('host', 'is', null),
        where('id', '=', ({ selectFrom }) =>
          selectFrom('organizations as first').select(({ fn }) => fn.min<number>('first.id').as('first')),
        ),
      ]),
    )
    .orderBy('id'),
);

/**
 * The organization that a host name stands for: the one that has it; otherwise the one without a host of its own; otherwise
 * the only one there is.
 * @param host host name, in any spelling
 * @throws ApiError not_found when there is no organization yet, misdirected when none of several has this host
 */
async function organizationOf(db: Database, host: string): Promise<number> {
  const name = normalizeHost(host) ?? '';
  const rows = await candidates(db, name);
  const [first] = rows;
  if (!first) throw new ApiError('not_found');
  const found = rows.find((row) => row.host === name) ?? rows.find((row) => row.host === null);
  if (found) return found.id;
  if (Number(first.total) > 1) throw new ApiError('misdirected');
  return first.id;
}

/** Finds organizations by the host names of requests, and remembers them for a moment: every request asks. */
export class Hosts {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #known = new Map<string, Promise<number>>();
  readonly #last: LastAnswers<number>;
  #till = 0;
  #changes = -1;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#last = new LastAnswers(clock);
  }

  /**
   * The organization that a host name stands for.
   * @throws ApiError not_found or misdirected
   */
  find(host: string): Promise<number> {
    const now = this.#clock.now();
    const { count } = publishedChangesOf(this.#db);
    if (this.#changes !== count || now >= this.#till || this.#known.size >= MAX_CACHED_HOSTS) {
      this.#changes = count;
      this.#till = now + ORGANIZATION_CACHE_LIFETIME;
      this.#known.clear();
    }
    const known = this.#known.get(host);
    if (known) return known;
    const asked = this.#last.ask(host, () => organizationOf(this.#db, host)).then(({ value }) => value);
    this.#known.set(host, asked);
    asked.catch(() => {
      if (this.#known.get(host) === asked) this.#known.delete(host);
    });
    return asked;
  }
}
