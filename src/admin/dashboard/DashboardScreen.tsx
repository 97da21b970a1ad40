import { Anchor, Button, Card, Group, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import {
  type Icon,
  IconAccessible,
  IconBox,
  IconBroadcast,
  IconExternalLink,
  IconKey,
  IconMessages,
  IconSettings,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Client, Page } from '../../contract/client.ts';
import type { Area, EndpointListRow } from '../../contract/entities.ts';
import { numberText } from '../../ui/language/say.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { Loaded, useLoaded } from '../frame/Loaded.tsx';
import { Empty, LoadingRows, Screen } from '../frame/Screen.tsx';
import { Quiet, Tag } from '../frame/text.tsx';
import { useWholeCheck } from '../frame/use-whole-check.ts';
import { MESSAGES_PATH } from '../shell/menu.ts';
import { WaitingStore } from '../shell/waiting-store.ts';
import { countText } from '../stores/list-store.ts';
import classes from './dashboard.module.css';
import { FirstSteps } from './FirstSteps.tsx';
import { NewMenu } from './NewMenu.tsx';
import { Overview, useOverview } from './Overview.tsx';

/** Maximum rows; the structures screen lists all. */
const MAX_PUBLISHED = 20;

const PublishedRow = ({ endpoint, address }: { endpoint: EndpointListRow; address: string }) => (
  <Table.Tr>
    <Table.Td>
      <Group gap="sm" wrap="nowrap">
        <Poster url={endpoint.poster_url} width={64} />
        <Anchor href={address} target="_blank" rel="noopener">
          {endpoint.name} <IconExternalLink size={14} aria-label="opens in a new tab" />
        </Anchor>
      </Group>
    </Table.Td>
    <Table.Td>{endpoint.room?.title}</Table.Td>
    <Table.Td>
      <Text span size="sm" ff="monospace">
        {endpoint.path}
      </Text>
    </Table.Td>
    <Table.Td>
      <Group gap={4}>
        {(!endpoint.room || endpoint.is_closed) && (
          <Tag color="red">{endpoint.room ? 'Not published' : 'No space'}</Tag>
        )}
        {!endpoint.is_visible && <Tag color="gray">Hidden</Tag>}
        {endpoint.is_protected && <Tag>Protected</Tag>}
      </Group>
    </Table.Td>
  </Table.Tr>
);

/** The structures' public addresses, if the user may see them. */
const usePublishedRooms = (isWanted: boolean) =>
  useLoaded(({ endpoints }) => endpoints.rows({ query: { per_page: MAX_PUBLISHED } }), isWanted);

/** Structures with a public address. */
function PublishedRooms({ found: { data: rooms, meta }, mayAdd }: { found: Page<EndpointListRow[]>; mayAdd: boolean }) {
  const session = useSession();
  if (rooms.length === 0)
    return (
      <Empty text="No space has a public address yet. A structure gives it one.">
        {mayAdd && (
          <Button component={Link} to="/admin/structures/add" variant="light">
            Add a structure
          </Button>
        )}
      </Empty>
    );
  return (
    <>
      <Table.ScrollContainer minWidth={560}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Structure</Table.Th>
              <Table.Th>Space</Table.Th>
              <Table.Th>Address</Table.Th>
              <Table.Th>State</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rooms.map((endpoint) => (
              <PublishedRow key={endpoint.id} endpoint={endpoint} address={session.addressOf(endpoint.path)} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {meta.total > rooms.length && (
        <Anchor component={Link} to="/admin/structures" size="sm">
          All {numberText(meta.total)} structures
        </Anchor>
      )}
    </>
  );
}

/** Number of visitors' messages waiting for approval; nothing if zero. */
const WaitingNotice = observer(() => {
  const { client } = useSession();
  const [store] = useState(() => new WaitingStore(client));
  useEffect(() => void store.load(), [store]);
  if (store.count === 0) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      <IconMessages size={20} aria-hidden />
      <Text>
        {store.count === 1 ? '1 message waits' : `${store.count} messages wait`} for approval.{' '}
        <Anchor component={Link} to={`${MESSAGES_PATH}?state=waiting`}>
          Review
        </Anchor>
      </Text>
    </Group>
  );
});

/** Number of missing alternatives in spaces, with a link to the findings; nothing if zero. */
function MissingAlternatives() {
  const session = useSession();
  const { value, isPart } = useWholeCheck(({ accessibility }) => accessibility.missing());
  if (!value || value.count === 0) return null;
  const text = `${countText(value.count, 'missing alternatives', isPart)} in ${countText(value.rooms, 'spaces', isPart)}`;
  return (
    <Group gap="xs" wrap="nowrap">
      <IconAccessible size={20} aria-hidden />
      {session.may('settings', 'view_any') ? (
        <Anchor component={Link} to="/admin/settings/accessibility">
          {text}
        </Anchor>
      ) : (
        <Text>{text}</Text>
      )}
    </Group>
  );
}

interface TileProps {
  label: string;
  text: string;
  path: string;
  area: Area;
  icon: Icon;
  /** Plural noun and number of entries. */
  nouns?: string;
  count?(client: Client): Promise<{ meta: { total: number; is_more?: boolean } }>;
}

/** Reads a single entry: what counts is the total. */
const ONE = { query: { per_page: 1 } } as const;

const TILES: readonly TileProps[] = [
  {
    label: 'Manage livestreams',
    text: 'Broadcasts that play inside spaces',
    path: '/admin/live-streams',
    area: 'live_streams',
    icon: IconBroadcast,
    nouns: 'live streams',
    count: ({ liveStreams }) => liveStreams.list(ONE),
  },
  {
    label: 'Manage spaces',
    text: 'Spaces and their templates',
    path: '/admin/spaces',
    area: 'rooms',
    icon: IconBox,
    nouns: 'spaces',
    count: ({ rooms }) => rooms.list(ONE),
  },
  {
    label: 'Manage tokens',
    text: 'Tokens for protected structures',
    path: '/admin/access-tokens',
    area: 'access_tokens',
    icon: IconKey,
    nouns: 'tokens',
    count: ({ accessTokens }) => accessTokens.list(ONE),
  },
  {
    label: 'Platform settings',
    text: 'Name, look, embedding, feeds and users',
    path: '/admin/settings',
    area: 'settings',
    icon: IconSettings,
  },
];

function Tile({ label, text, path, icon: TileIcon, nouns = '', count }: TileProps) {
  const { value } = useLoaded(async (client) => count?.(client), count !== undefined);
  return (
    <Card component={Link} to={path} withBorder padding="lg" className={classes.tile}>
      <TileIcon size={26} aria-hidden />
      <Text fw={600} mt="sm">
        {label}
      </Text>
      <Quiet>{value ? countText(value.meta.total, nouns, value.meta.is_more) : text}</Quiet>
    </Card>
  );
}

/** Links to the main areas, statistics, and published spaces. */
export const DashboardScreen = observer(() => {
  const session = useSession();
  const tiles = TILES.filter(({ area }) => session.may(area, 'view_any'));
  const seesStructures = session.may('endpoints', 'view_any');
  const overview = useOverview(seesStructures, session.may('rooms', 'view_any'));
  const published = usePublishedRooms(seesStructures);
  const reload = () => {
    overview.load();
    if (seesStructures) void published.load();
  };
  return (
    <Screen title="Dashboard" action={<NewMenu />}>
      {session.may('settings', 'view_any') && <WaitingNotice />}
      {session.may('rooms', 'view_any') && <MissingAlternatives />}
      <FirstSteps onChanged={reload} />
      {tiles.length > 0 && (
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
          {tiles.map((tile) => (
            <Tile key={tile.path} {...tile} />
          ))}
        </SimpleGrid>
      )}
      <Overview {...overview} />
      {seesStructures && (
        <Stack component="section" aria-labelledby="published">
          <Title order={2} size="h4" id="published">
            Published spaces
          </Title>
          <Loaded of={published} what="The rooms" loading={<LoadingRows count={4} />}>
            {(found) => <PublishedRooms found={found} mayAdd={session.may('endpoints', 'create')} />}
          </Loaded>
        </Stack>
      )}
      {tiles.length === 0 && !seesStructures && (
        <Text>You don't have access to anything yet. Ask an administrator.</Text>
      )}
    </Screen>
  );
});
