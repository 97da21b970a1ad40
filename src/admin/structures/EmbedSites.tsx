import { Alert, Anchor, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { makeAutoObservable, runInAction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Client } from '../../contract/client.ts';
import { embedPath, NO_FLAGS } from '../../contract/embed-code.ts';
import { embedSite } from '../../contract/embed-origin.ts';
import type { Embedding } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { locale } from '../../ui/language/language.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { Quiet } from '../frame/text.tsx';
import classes from './structures.module.css';

/** Interval in milliseconds and number of retries: servers cache settings briefly. */
const RETRY = { every: 700, times: 5 };

/** Result of an embed test. */
interface EmbedTest {
  works: boolean;
  text: string;
}

/** Evaluates a page's response headers for a site. */
function judgeAnswer({ status, headers }: Pick<Response, 'status' | 'headers'>, site: string): EmbedTest {
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
class EmbedSitesStore {
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
    this.error = error ? sayMessage(error.issues[0]!.message) : null;
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
    return names.length > 0
      ? `Ask ${new Intl.ListFormat(locale, { type: 'disjunction' }).format(names)} to add it.`
      : '';
  }

  /** Requests the page as a browser would and reads its frame headers. */
  async test(site: string): Promise<void> {
    if (this.busy !== null) return;
    this.busy = site;
    let found: EmbedTest = { works: false, text: 'The page is not responding.' };
    for (let attempt = 0; attempt < RETRY.times && !found.works; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, RETRY.every));
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

function Result({ test }: { test: EmbedTest }) {
  const Icon = test.works ? IconCheck : IconX;
  return (
    <Text size="sm" c={test.works ? 'teal' : 'red'} role="status">
      <Icon size={14} aria-hidden /> {test.text}
    </Text>
  );
}

const Site = observer(({ site, store, mayTest }: { site: string; store: EmbedSitesStore; mayTest: boolean }) => {
  const test = store.tests.get(site);
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {site}
        </Text>
        {mayTest && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Test ${site}`}
            loading={store.busy === site}
            onClick={() => void store.test(site)}
          >
            Test
          </Button>
        )}
      </Group>
      {test && <Result test={test} />}
    </li>
  );
});

/** Sites that may embed a structure: list, allow and test. */
export const EmbedSites = observer(({ path }: { path: string }) => {
  const session = useSession();
  const mayAllow = session.may('settings', 'update');
  const [store] = useState(() => new EmbedSitesStore(session.client, session.addressOf(embedPath(path, NO_FLAGS))));
  useEffect(() => void store.load(), [store]);
  const { embedding } = store;
  if (store.hasFailed)
    return (
      <Group gap="xs" role="alert">
        <Text size="sm">The allowed sites could not be loaded.</Text>
        <Button size="compact-sm" variant="default" onClick={() => void store.load()}>
          Try again
        </Button>
      </Group>
    );
  if (!embedding) return <Skeleton height={80} role="status" aria-label="Loading" />;
  return (
    <Stack gap="xs" role="group" aria-label="Allowed sites">
      <Text size="sm" fw={500}>
        Allowed sites
      </Text>
      {embedding.sites.length === 0 ? (
        <Alert color="brass" title="No sites allowed yet">
          The code shows nothing on other sites until you add them here.{!mayAllow && ` ${store.whoCan}`}
        </Alert>
      ) : (
        <ul className={classes.sites}>
          {embedding.sites.map((site) => (
            <Site key={site} site={site} store={store} mayTest={session.isOnOwnSite} />
          ))}
        </ul>
      )}
      {!session.isOnOwnSite && (
        <Quiet>
          Tests only run on <Anchor href={session.addressOf(location.pathname)}>your own site</Anchor>.
        </Quiet>
      )}
      <Group align="end" gap="xs">
        <TextInput
          flex={1}
          miw={220}
          label={mayAllow ? 'Add a site' : 'Check a site'}
          description="Paste the URL of the page that will show the space."
          placeholder="https://www.example.com"
          inputMode="url"
          autoComplete="off"
          maxLength={2000}
          value={store.typed}
          error={store.error}
          onChange={(event) => store.type(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Don't submit the surrounding structure form.
            event.preventDefault();
            void store.add(mayAllow);
          }}
        />
        <Button variant="default" loading={store.busy !== null} onClick={() => void store.add(mayAllow)}>
          {mayAllow ? 'Allow and test' : 'Check'}
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        Applies to all structures. With and without “www” are two sites.
        {session.may('settings', 'view_any') && (
          <>
            {' '}
            <Anchor component={Link} to="/admin/settings/embed" size="xs" underline="always">
              Embed settings
            </Anchor>
          </>
        )}
      </Text>
    </Stack>
  );
});
