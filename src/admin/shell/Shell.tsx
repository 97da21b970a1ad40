import {
  ActionIcon,
  Anchor,
  AppShell,
  Burger,
  Button,
  Center,
  Group,
  Kbd,
  NavLink,
  ScrollArea,
  Stack,
  Text,
  Title,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks';
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
import { typedAhead } from '../../ui/typed-ahead.ts';
import { Menu } from './Menu.tsx';
import { PALETTE_EVENT } from './menu.ts';
import classes from './shell.module.css';

/** Shown while the server is unreachable. */
function Unreachable({ onRetry }: { onRetry(): void }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack align="center">
        <Title order={1} size="h3">
          The server is not responding
        </Title>
        <Text>Check your connection. You stay signed in.</Text>
        <Button onClick={onRetry}>Try again</Button>
      </Stack>
    </Center>
  );
}

const SetUpScreen = lazy(async () => ({ default: (await import('../account/SecondFactorSection.tsx')).SetUpScreen }));
const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }));

/** Widths of the menu and the collapsed menu, and the breakpoint for the drawer, in pixels. */
const MENU = { width: 232, rail: 60, breakpoint: 900 };

/** Placeholder of the palette button. */
const SEARCH = 'Search or jump to…';

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <NavLink
      component="button"
      label={other === 'dark' ? 'Dark mode' : 'Light mode'}
      title={other === 'dark' ? 'Dark mode' : 'Light mode'}
      leftSection={other === 'dark' ? <IconMoon size={18} aria-hidden /> : <IconSun size={18} aria-hidden />}
      onClick={() => setColorScheme(other)}
    />
  );
}

/** Back-office layout: menu on the left, screen beside it. */
export const Shell = observer(() => {
  const session = useSession();
  const [opened, { toggle, close }] = useDisclosure();
  // Loaded on first use; then it handles the shortcut itself.
  const [isPaletteWanted, { open: openPalette }] = useDisclosure();
  const askPalette = () => {
    typedAhead.begin();
    if (isPaletteWanted) dispatchEvent(new Event(PALETTE_EVENT));
    else openPalette();
  };
  useHotkeys(isPaletteWanted ? [] : [['mod+K', askPalette]], []);
  useHotkeys(opened ? [['Escape', close]] : []);
  const [isFolded, setFolded] = useLocalStorage({ key: 'enfilade.menu-folded', defaultValue: false });
  const isWide = useMediaQuery(`(min-width: ${MENU.breakpoint}px)`, undefined, { getInitialValueInEffect: false });
  const isRail = isFolded && isWide;
  const { pathname, search } = useLocation();
  const organization = session.user?.organization;
  const main = useRef<HTMLElement>(null);
  // Scroll to the top on navigation; screen readers get the new title.
  const first = useRef(true);
  // Layout effect: a later one would steal focus from a field the user is in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: rerun on path changes.
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
        width: isRail ? MENU.rail : MENU.width,
        breakpoint: MENU.breakpoint,
        collapsed: { mobile: !opened },
      }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <button type="button" className={classes.skip} onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <AppShell.Header className={classes.narrow} px="md">
        <Group h="100%" wrap="nowrap">
          <Burger opened={opened} onClick={toggle} size="sm" aria-label="Menu" aria-expanded={opened} />
          <Sign />
          <Text fw={600} truncate>
            {organization?.name}
          </Text>
          <ActionIcon variant="subtle" color="gray" ml="auto" size={40} aria-label="Search" onClick={askPalette}>
            <IconSearch size={20} />
          </ActionIcon>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p={isRail ? 6 : 'sm'}
        className={classes.menu}
        data-closed={!opened || undefined}
        data-rail={isRail || undefined}
      >
        <Group
          gap="sm"
          p={isRail ? 4 : 'sm'}
          c="var(--brass)"
          wrap={isRail ? 'wrap' : 'nowrap'}
          justify="center"
          title={isRail ? organization?.name : undefined}
        >
          <Sign size={28} />
          {!isRail && (
            <div className={classes.organization}>
              <Text fw={600} truncate title={organization?.name} c="var(--mantine-color-text)">
                {organization?.name}
              </Text>
              <Anchor
                href={session.addressOf('/')}
                target="_blank"
                rel="noopener"
                size="xs"
                c="dimmed"
                truncate
                display="block"
                title="Open the public site"
              >
                {organization && new URL(organization.origin).host}
              </Anchor>
            </div>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            ml={isRail ? 0 : 'auto'}
            className={classes.wide}
            aria-label={isRail ? 'Expand menu' : 'Collapse menu'}
            onClick={() => setFolded(!isRail)}
          >
            {isRail ? <IconLayoutSidebarLeftExpand size={20} /> : <IconLayoutSidebarLeftCollapse size={18} />}
          </ActionIcon>
        </Group>
        <UnstyledButton
          px="sm"
          py={6}
          mb={4}
          title={SEARCH}
          {...(isRail && { 'aria-label': SEARCH })}
          onClick={askPalette}
        >
          <Group gap="xs" c="dimmed" wrap="nowrap">
            <IconSearch size={18} aria-hidden style={{ flex: 'none' }} />
            {!isRail && (
              <>
                <Text size="sm" truncate>
                  {SEARCH}
                </Text>
                <Kbd ml="auto" size="xs" style={{ flex: 'none', whiteSpace: 'nowrap' }}>
                  Ctrl K
                </Kbd>
              </>
            )}
          </Group>
        </UnstyledButton>
        <AppShell.Section grow component={ScrollArea} type="auto" scrollbarSize={8} offsetScrollbars="present">
          <nav aria-label="Main">
            <Menu isRail={isRail} onGo={close} />
          </nav>
        </AppShell.Section>
        <AppShell.Section>
          <SchemeSwitch />
          <NavLink
            component={Link}
            to="/admin/account"
            label={session.user?.name}
            title={session.user?.name}
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
            title="Logout"
            {...(isRail && { 'aria-label': 'Logout' })}
            onClick={() => void session.logout()}
          >
            {!isRail && 'Logout'}
          </Button>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1} style={{ outline: 'none' }}>
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
