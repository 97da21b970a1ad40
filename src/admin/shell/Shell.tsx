import {
  AppShell,
  Burger,
  Button,
  Group,
  NavLink,
  Stack,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLayoutDashboard, IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { Link, Navigate, Outlet, useLocation } from 'react-router-dom';
import { Sign } from '../../ui/Sign.tsx';
import type { SessionStore } from '../session-store.ts';
import { Unreachable } from './Unreachable.tsx';

/** Width of the left menu, and of the window below which it becomes a drawer, in pixels. */
const MENU = { width: 232, breakpoint: 900 };

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <NavLink
      component="button"
      label={other === 'dark' ? 'Dark' : 'Light'}
      leftSection={other === 'dark' ? <IconMoon size={18} /> : <IconSun size={18} />}
      onClick={() => setColorScheme(other)}
    />
  );
}

/** The frame of the back-office: menu at the left, the screen beside it. */
export const Shell = observer(({ session }: { session: SessionStore }) => {
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname, search } = useLocation();
  if (session.state === 'signed-out')
    return <Navigate to={`/admin/login?redirect=${encodeURIComponent(pathname + search)}`} replace />;
  if (session.state === 'unreachable') return <Unreachable onRetry={() => void session.restore()} />;
  return (
    <AppShell
      header={{ height: { base: 52, [MENU.breakpoint]: 0 } }}
      navbar={{ width: MENU.width, breakpoint: MENU.breakpoint, collapsed: { mobile: !opened } }}
      padding="xl"
    >
      <AppShell.Header hiddenFrom={`${MENU.breakpoint}px`} px="md">
        <Group h="100%">
          <Burger opened={opened} onClick={toggle} size="sm" aria-label="Menu" />
          <Sign />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <Group gap="sm" p="sm" c="var(--brass)">
          <Sign size={28} />
          <Text fw={600} size="lg" c="var(--mantine-color-text)">
            Enfilade
          </Text>
        </Group>
        <AppShell.Section grow component="nav" aria-label="Main">
          <NavLink
            component={Link}
            to="/admin"
            label="Dashboard"
            active={pathname === '/admin'}
            leftSection={<IconLayoutDashboard size={18} />}
            onClick={close}
          />
        </AppShell.Section>
        <Stack gap={0}>
          <SchemeSwitch />
          <Text size="sm" c="dimmed" px="sm" pt="sm">
            {session.user?.name}
          </Text>
          <Button
            variant="subtle"
            justify="flex-start"
            px="sm"
            leftSection={<IconLogout size={18} />}
            onClick={() => void session.logout()}
          >
            Logout
          </Button>
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
});
