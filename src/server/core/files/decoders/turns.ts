import { ApiError } from '../../../../contract/errors.ts';

/** On whose behalf something is decoded. */
export interface Requester {
  /** Visitors may send less than users. */
  sender: 'visitor' | 'user';
  /** Null where anybody's page asks, such as for a thumbnail. */
  organizationId: number | null;
  /** Address of a visitor's network; null for users, who may share one. */
  address: string | null;
}

/** On behalf of an organization's users. */
export const ofOrganization = (organizationId: number): Requester => ({
  sender: 'user',
  organizationId,
  address: null,
});

/** What wants to be decoded. */
interface Claim extends Requester {
  /** Whether pages wait for it: it goes before what is uploaded. */
  isCopy: boolean;
  /** Whether it is one of the images of which one is decoded at a time. */
  isLarge: boolean;
}

/** Most that may be decoded, and wait for it, at once. */
export interface TurnLimits {
  all: number;
  /** Of uploads: less than of all, so that pages never wait behind them. */
  uploads: number;
  organization: number;
  address: number;
  /** `all` holds for copies and for uploads, each. */
  waiting: { all: number; organization: number; address: number };
}

interface Waiting {
  claim: Claim;
  begin(): void;
}

const orgKey = ({ organizationId }: Claim) => `organization ${organizationId}`;
const addressKey = ({ address }: Claim) => `address ${address}`;

/** Gives turns: to pages first, then by organization and by address in rotation, so that no queue is in front of another's. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #running = new Set<Claim>();
  readonly #waiting: Waiting[] = [];
  /** The last turn that an organization and an address had, while one of theirs waits or is decoded. */
  readonly #served = new Map<string, number>();
  #turn = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for a turn.
   * @returns ends it
   * @throws ApiError unavailable while too many wait
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
    if (isCrowded) throw new ApiError('unavailable', 'Too much is being read at this moment. Try again in a moment.');
  }

  #mayBegin(claim: Claim): boolean {
    const { all, uploads, organization, address } = this.#limits;
    const running = [...this.#running];
    const count = (isAlike: (other: Claim) => boolean) => running.filter(isAlike).length;
    return (
      running.length < all &&
      (claim.isCopy || count(({ isCopy }) => !isCopy) < uploads) &&
      !(claim.isLarge && running.some(({ isLarge }) => isLarge)) &&
      (claim.organizationId === null || count((other) => orgKey(other) === orgKey(claim)) < organization) &&
      (claim.address === null || count((other) => addressKey(other) === addressKey(claim)) < address)
    );
  }

  /** Lower goes first. */
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

  /** Forgets those of whom nothing is left. */
  #forget(): void {
    const left = [...this.#running, ...this.#waiting.map(({ claim }) => claim)];
    const keys = new Set(left.flatMap((claim) => [orgKey(claim), addressKey(claim)]));
    for (const key of this.#served.keys()) if (!keys.has(key)) this.#served.delete(key);
  }
}
