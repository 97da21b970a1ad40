import { Anchor, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconBox, IconBroadcast, IconKey, IconMessages, IconPlus, IconSettings } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useSession } from '../../ui/session/session-context.ts';
import { Screen } from '../frame/Screen.tsx';
import { MESSAGES_PATH } from '../shell/menu.ts';
import { WaitingStore } from '../shell/waiting-store.ts';
import classes from './dashboard.module.css';
import { FirstSteps, OnboardingStore } from './FirstSteps.tsx';
import { Overview, OverviewStore } from './Overview.tsx';
import { PublishedRooms, RoomsStore } from './PublishedRooms.tsx';

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

const TILES = [
  {
    label: 'Manage livestreams',
    text: 'Broadcasts that play inside spaces',
    path: '/admin/live-streams',
    area: 'live_streams',
    icon: IconBroadcast,
  },
  {
    label: 'Manage spaces',
    text: 'Spaces and their templates',
    path: '/admin/spaces',
    area: 'rooms',
    icon: IconBox,
  },
  {
    label: 'Manage tokens',
    text: 'Tokens for protected structures',
    path: '/admin/access-tokens',
    area: 'access_tokens',
    icon: IconKey,
  },
  {
    label: 'Platform settings',
    text: 'Name, look, embedding, feeds and users',
    path: '/admin/settings',
    area: 'settings',
    icon: IconSettings,
  },
] as const;

/** Links to the main areas, statistics, and published spaces. */
export const DashboardScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => new RoomsStore(session.client));
  const [onboarding] = useState(() => new OnboardingStore(session.client));
  const [overview] = useState(() => new OverviewStore(session.client));
  const tiles = TILES.filter(({ area }) => session.may(area, 'view_any'));
  const sees = {
    seesStructures: session.may('endpoints', 'view_any'),
    seesRooms: session.may('rooms', 'view_any'),
  };
  const reload = () => {
    void overview.load(sees);
    if (sees.seesStructures) void store.load();
  };
  return (
    <Screen
      title="Dashboard"
      action={
        session.may('rooms', 'create') &&
        session.may('endpoints', 'create') && (
          <Button component={Link} to="/admin/spaces/new" leftSection={<IconPlus size={18} aria-hidden />}>
            New space
          </Button>
        )
      }
    >
      {session.may('settings', 'view_any') && <WaitingNotice />}
      <FirstSteps store={onboarding} onChanged={reload} />
      {tiles.length > 0 && (
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
          {tiles.map(({ label, text, path, icon: TileIcon }) => (
            <Card key={path} component={Link} to={path} withBorder padding="lg" className={classes.tile}>
              <TileIcon size={26} aria-hidden />
              <Text fw={600} mt="sm">
                {label}
              </Text>
              <Text size="sm" c="dimmed">
                {text}
              </Text>
            </Card>
          ))}
        </SimpleGrid>
      )}
      <Overview store={overview} {...sees} />
      {session.may('endpoints', 'view_any') && (
        <Stack component="section" aria-labelledby="published">
          <Title order={2} size="h4" id="published">
            Published spaces
          </Title>
          <PublishedRooms store={store} mayAdd={session.may('endpoints', 'create')} />
        </Stack>
      )}
      {tiles.length === 0 && !session.may('endpoints', 'view_any') && (
        <Text>You don't have access to anything yet. Ask an administrator.</Text>
      )}
    </Screen>
  );
});
