import { ApiError } from '../../../../contract/errors.ts';

/** On whose behalf something is decoded. */
export interface Requester {
  /** Visitors have lower limits than users. */
  sender: 'visitor' | 'user';
  /** Null for public requests, such as for a thumbnail. */
  organizationId: number | null;
  /** Network address of a visitor; null for users, who may share one. */
  address: string | null;
}

/** A requester for an organization's users. */
export const ofOrganization = (organizationId: number): Requester => ({
  sender: 'user',
  organizationId,
  address: null,
});

/** A request to decode something. */
interface Claim extends Requester {
  /** Whether pages wait for it: it takes precedence over uploads. */
  isCopy: boolean;
  /** Whether no one waits for it: it runs next to all others, one at a time. */
  isBackground: boolean;
  /** Whether it is a large image: only one is decoded at a time. */
  isLarge: boolean;
}

/** Maximum numbers of running and queued jobs. */
export interface TurnLimits {
  all: number;
  /** For uploads: less than `all`, so that pages never wait behind them. */
  uploads: number;
  organization: number;
  address: number;
  /** `all` applies to copies and to uploads separately. */
  waiting: { all: number; organization: number; address: number };
}

interface Waiting {
  claim: Claim;
  begin(): void;
}

const orgKey = ({ organizationId }: Claim) => `organization ${organizationId}`;
const addressKey = ({ address }: Claim) => `address ${address}`;

/** Schedules jobs: pages first, then round-robin by organization and address, so that no one can fill the queue. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #running = new Set<Claim>();
  readonly #waiting: Waiting[] = [];
  /** Last turn of each organization and address with queued or running jobs. */
  readonly #served = new Map<string, number>();
  #turn = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for a turn.
   * @returns releases it
   * @throws ApiError unavailable if too many jobs are queued
   */
  async take(claim: Claim): Promise<() => void> {
    this.#refuseCrowd(claim);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ claim, begin: resolve });
    this.#give();
    await promise;
    return () => {
      this.#running.delete(claim);
      this.#forget();
      this.#give();
    };
  }

  #refuseCrowd(claim: Claim): void {
    const { waiting } = this.#limits;
    const count = (isAlike: (other: Claim) => boolean) => this.#waiting.filter(({ claim }) => isAlike(claim)).length;
    const isCrowded =
      count(({ isCopy }) => isCopy === claim.isCopy) >= waiting.all ||
      (claim.organizationId !== null && count((other) => orgKey(other) === orgKey(claim)) >= waiting.organization) ||
      (claim.address !== null && count((other) => addressKey(other) === addressKey(claim)) >= waiting.address);
    if (isCrowded)
      throw new ApiError('unavailable', 'The server is busy processing other files. Try again in a moment.');
  }

  #mayBegin(claim: Claim): boolean {
    const { all, uploads, organization, address } = this.#limits;
    const running = [...this.#running].filter(({ isBackground }) => isBackground === claim.isBackground);
    if (claim.isBackground) return running.length === 0;
    const count = (isAlike: (other: Claim) => boolean) => running.filter(isAlike).length;
    return (
      running.length < all &&
      (claim.isCopy || count(({ isCopy }) => !isCopy) < uploads) &&
      !(claim.isLarge && running.some(({ isLarge }) => isLarge)) &&
      (claim.organizationId === null || count((other) => orgKey(other) === orgKey(claim)) < organization) &&
      (claim.address === null || count((other) => addressKey(other) === addressKey(claim)) < address)
    );
  }

  /** Lower ranks run first. */
  #rank({ claim }: Waiting): [number, number, number] {
    return [
      claim.isCopy ? 0 : 1,
      this.#served.get(orgKey(claim)) ?? 0,
      claim.address === null ? 0 : (this.#served.get(addressKey(claim)) ?? 0),
    ];
  }

  #give(): void {
    for (;;) {
      let first: { waiting: Waiting; rank: [number, number, number] } | undefined;
      for (const waiting of this.#waiting) {
        if (!this.#mayBegin(waiting.claim)) continue;
        const rank = this.#rank(waiting);
        const isBefore = first && rank.map((each, index) => each - first!.rank[index]!).find((by) => by !== 0);
        if (!first || (isBefore ?? 0) < 0) first = { waiting, rank };
      }
      if (!first) return;
      const { claim, begin } = first.waiting;
      this.#waiting.splice(this.#waiting.indexOf(first.waiting), 1);
      this.#running.add(claim);
      this.#turn++;
      this.#served.set(orgKey(claim), this.#turn).set(addressKey(claim), this.#turn);
      begin();
    }
  }

  /** Drops entries without queued or running jobs. */
  #forget(): void {
    const left = [...this.#running, ...this.#waiting.map(({ claim }) => claim)];
    const keys = new Set(left.flatMap((claim) => [orgKey(claim), addressKey(claim)]));
    for (const key of this.#served.keys()) if (!keys.has(key)) this.#served.delete(key);
  }
}
