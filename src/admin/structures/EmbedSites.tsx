import { Alert, Anchor, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useSession } from '../../ui/session/session-context.ts';
import { embedPath, NO_FLAGS } from './embed-code.ts';
import { EmbedSitesStore, type EmbedTest } from './embed-sites-store.ts';
import classes from './structures.module.css';

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
        <Text size="sm" c="dimmed">
          Tests only run on <Anchor href={session.addressOf(location.pathname)}>your own site</Anchor>.
        </Text>
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
