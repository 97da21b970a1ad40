import { makeAutoObservable, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import { embedSite } from '../../contract/embed-origin.ts';
import type { Embedding } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';

/** Interval in milliseconds and number of retries: servers cache settings briefly. */
const LOOK = { every: 700, times: 5 };

/** Result of an embed test. */
export interface EmbedTest {
  works: boolean;
  text: string;
}

/** Evaluates a page's response headers for a site. */
export function judgeAnswer({ status, headers }: Pick<Response, 'status' | 'headers'>, site: string): EmbedTest {
  // A page that asks for an access token answers 400, and shows its form in the frame.
  if (status !== 200 && status !== 400)
    return { works: false, text: `The page returned ${status}: it is hidden, or its space is not published.` };
  if (headers.has('x-frame-options'))
    return {
      works: false,
      text: 'A proxy adds the X-Frame-Options header, which blocks every frame. Remove it from the proxy.',
    };
  const policy = headers.get('content-security-policy') ?? '';
  const ancestors = /frame-ancestors ([^;,]*)/.exec(policy)?.[1]?.trim().split(/\s+/);
  return ancestors === undefined || ancestors.includes(site)
    ? { works: true, text: 'Works: this site can embed the page.' }
    : { works: false, text: 'Blocked: this site can’t embed the page.' };
}

/** Sites that may embed rooms, with a live test. */
export class EmbedSitesStore {
  readonly #client: Client;
  /** URL of the embedded page. */
  readonly #address: string;
  embedding: Embedding | null = null;
  hasFailed = false;
  typed = '';
  error: string | null = null;
  /** The site being added or tested. */
  busy: string | null = null;
  readonly tests = new Map<string, EmbedTest>();

  constructor(client: Client, address: string) {
    this.#client = client;
    this.#address = address;
    makeAutoObservable(this);
  }

  type(text: string): void {
    this.typed = text;
    this.error = null;
  }

  async load(): Promise<void> {
    this.hasFailed = false;
    try {
      const embedding = await this.#client.organizations.embedding();
      runInAction(() => (this.embedding = embedding));
    } catch {
      runInAction(() => (this.hasFailed = true));
    }
  }

  /** The typed site; null if invalid, with an error at the field. */
  #site(): string | null {
    const { data, error } = embedSite.safeParse(this.typed);
    if (data) return data;
    this.error = error?.issues[0]?.message ?? null;
    return null;
  }

  /** Adds the typed site and tests it. @param mayAllow whether the user may add sites; otherwise only test */
  async add(mayAllow: boolean): Promise<void> {
    const site = this.#site();
    if (site === null || this.busy !== null) return;
    if (mayAllow && !this.embedding?.sites.includes(site)) {
      this.busy = site;
      try {
        const embedding = await this.#client.organizations.allowSite({ body: { site } });
        runInAction(() => (this.embedding = embedding));
      } catch (error) {
        const text =
          error instanceof ApiError ? Object.values(error.msg).flat()[0] : 'The server could not be reached.';
        runInAction(() => (this.error = text ?? null));
        return;
      } finally {
        runInAction(() => (this.busy = null));
      }
    }
    if (!this.embedding?.sites.includes(site)) {
      this.error = `${site} is not allowed to embed your spaces yet. ${this.whoCan}`;
      return;
    }
    runInAction(() => (this.typed = ''));
    await this.test(site);
  }

  /** Names the users who may change the list. */
  get whoCan(): string {
    const names = this.embedding?.managers ?? [];
    return names.length > 0 ? `Ask ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)} to add it.` : '';
  }

  /** Requests the page as a browser would and reads its frame headers. */
  async test(site: string): Promise<void> {
    if (this.busy !== null) return;
    this.busy = site;
    let found: EmbedTest = { works: false, text: 'The page is not responding.' };
    for (let look = 0; look < LOOK.times && !found.works; look++) {
      if (look > 0) await new Promise((resolve) => setTimeout(resolve, LOOK.every));
      found = await fetch(this.#address, { method: 'HEAD', cache: 'no-store', credentials: 'omit' }).then(
        (answer) => judgeAnswer(answer, site),
        () => found,
      );
    }
    runInAction(() => {
      this.busy = null;
      this.tests.set(site, found);
    });
  }
}
