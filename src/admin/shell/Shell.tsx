import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  Kbd,
  NavLink,
  ScrollArea,
  Text,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useHotkeys, useLocalStorage } from '@mantine/hooks';
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useLayoutEffect, useRef } from 'react';
import { Link, Navigate, Outlet, useLocation } from 'react-router-dom';
import { Sign } from '../../ui/Sign.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { Menu } from './Menu.tsx';
import { PALETTE_EVENT } from './palette-event.ts';
import classes from './shell.module.css';
import { Unreachable } from './Unreachable.tsx';

const SetUpScreen = lazy(async () => ({ default: (await import('../account/SetUpScreen.tsx')).SetUpScreen }));
const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }));

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
      leftSection={other === 'dark' ? <IconMoon size={18} aria-hidden /> : <IconSun size={18} aria-hidden />}
      onClick={() => setColorScheme(other)}
    />
  );
}

/** The frame of the back-office: menu at the left, the screen beside it. */
export const Shell = observer(() => {
  const session = useSession();
  const [opened, { toggle, close }] = useDisclosure();
  // Its code comes when it is first asked for; from then on it listens to the keys itself.
  const [isPaletteWanted, { open: openPalette }] = useDisclosure();
  useHotkeys(isPaletteWanted ? [] : [['mod+K', openPalette]], []);
  const [isFolded, setFolded] = useLocalStorage({ key: 'enfilade.menu-folded', defaultValue: false });
  const askPalette = () => (isPaletteWanted ? dispatchEvent(new Event(PALETTE_EVENT)) : openPalette());
  const { pathname, search } = useLocation();
  const main = useRef<HTMLElement>(null);
  // A new screen is read from its beginning; whoever listens hears that it has changed.
  const first = useRef(true);
  // Before the screen can be used: later, it would take the focus from a field that somebody is already in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what has changed.
  useLayoutEffect(() => {
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
    scrollTo(0, 0);
  }, [pathname]);
  if (session.state === 'signed-out')
    return <Navigate to={`/admin/login?redirect=${encodeURIComponent(pathname + search)}`} replace />;
  if (session.state === 'unreachable') return <Unreachable onRetry={() => void session.restore()} />;
  if (session.user?.needs_second_factor)
    return (
      <Suspense>
        <SetUpScreen />
      </Suspense>
    );
  return (
    <AppShell
      header={{ height: { base: 52, [MENU.breakpoint]: 0 } }}
      navbar={{
        width: MENU.width,
        breakpoint: MENU.breakpoint,
        collapsed: { mobile: !opened, desktop: isFolded },
      }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <button type="button" className={classes.skip} onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <AppShell.Header className={classes.narrow} px="md">
        <Group h="100%">
          <Burger opened={opened} onClick={toggle} size="sm" aria-label="Menu" aria-expanded={opened} />
          <Sign />
          <ActionIcon variant="subtle" color="gray" ml="auto" size={40} aria-label="Search" onClick={askPalette}>
            <IconSearch size={20} />
          </ActionIcon>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <Group gap="sm" p="sm" c="var(--brass)" wrap="nowrap">
          <Sign size={28} />
          <Text fw={600} size="lg" c="var(--mantine-color-text)">
            Enfilade
          </Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            ml="auto"
            className={classes.wide}
            aria-label="Collapse menu"
            onClick={() => setFolded(true)}
          >
            <IconLayoutSidebarLeftCollapse size={18} />
          </ActionIcon>
        </Group>
        <UnstyledButton px="sm" py={6} mb={4} onClick={askPalette}>
          <Group gap="sm" c="dimmed">
            <IconSearch size={18} aria-hidden />
            <Text size="sm">Search or jump to…</Text>
            <Kbd ml="auto" size="xs">
              Ctrl K
            </Kbd>
          </Group>
        </UnstyledButton>
        <AppShell.Section grow component={ScrollArea} type="auto">
          <nav aria-label="Main">
            <Menu onGo={close} />
          </nav>
        </AppShell.Section>
        <AppShell.Section>
          <SchemeSwitch />
          <NavLink
            component={Link}
            to="/admin/account"
            label={session.user?.name}
            description="Your account"
            active={pathname === '/admin/account'}
            aria-current={pathname === '/admin/account' ? 'page' : undefined}
            leftSection={<IconUser size={18} aria-hidden />}
            styles={{ label: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } }}
            onClick={close}
          />
          <Button
            variant="subtle"
            fullWidth
            justify="flex-start"
            px="sm"
            leftSection={<IconLogout size={18} aria-hidden />}
            onClick={() => void session.logout()}
          >
            Logout
          </Button>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} style={{ outline: 'none' }}>
        {isFolded && (
          <ActionIcon
            variant="subtle"
            color="gray"
            mb="sm"
            className={classes.wide}
            aria-label="Expand menu"
            onClick={() => setFolded(false)}
          >
            <IconLayoutSidebarLeftExpand size={20} />
          </ActionIcon>
        )}
        <Outlet />
      </AppShell.Main>
      {isPaletteWanted && (
        <Suspense>
          <Palette />
        </Suspense>
      )}
    </AppShell>
  );
});
