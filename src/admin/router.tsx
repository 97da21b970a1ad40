import { Anchor, Text, Title } from '@mantine/core';
import {
  createBrowserRouter,
  Link,
  type LoaderFunction,
  type RouteObject,
  redirect,
  redirectDocument,
} from 'react-router-dom';
import { editorPath } from '../contract/editor-path.ts';
import type { SessionStore } from '../ui/session/session-store.ts';
import { Shell } from './shell/Shell.tsx';

/** Unknown back-office path. */
function NotFoundScreen() {
  return (
    <>
      <Title order={1} size="h2">
        This page does not exist
      </Title>
      <Text mt="sm">
        Check the address, or go{' '}
        <Anchor component={Link} to="/admin">
          to the dashboard
        </Anchor>
        .
      </Text>
    </>
  );
}

/**
 * Lazy-loaded route, named after its path: `settings/feed/:id` is `settings.feed.edit`.
 * @param name the module's export that shows the screen
 */
const screen = <Name extends string>(
  path: string,
  load: () => Promise<Record<Name, React.ComponentType>>,
  name: Name,
): RouteObject => ({
  id: path.replace('/:parentId?', '').replace('/:id', '.edit').replaceAll('/', '.').replaceAll('-', '_'),
  path,
  lazy: async () => ({ Component: (await load())[name] }),
});

/** Fallback while the first screen loads. */
function Nothing() {
  return null;
}

/** Screens inside the settings. */
const settingsScreens: RouteObject[] = [
  screen('webhooks', () => import('./webhooks/WebhooksScreen.tsx'), 'WebhooksScreen'),
  screen('settings', () => import('./settings/GeneralScreen.tsx'), 'GeneralScreen'),
  screen('settings/branding', () => import('./settings/BrandingScreen.tsx'), 'BrandingScreen'),
  screen('settings/embed', () => import('./settings/EmbedScreen.tsx'), 'EmbedScreen'),
  screen('settings/texts', () => import('./settings/texts/TextsScreen.tsx'), 'TextsScreen'),
  screen('settings/feed', () => import('./settings/feeds/FeedsScreen.tsx'), 'FeedsScreen'),
  screen('settings/feed/add', () => import('./settings/feeds/FeedScreen.tsx'), 'FeedScreen'),
  screen('settings/feed/:id', () => import('./settings/feeds/FeedScreen.tsx'), 'FeedScreen'),
  screen('settings/platforms', () => import('./settings/PlatformsScreen.tsx'), 'PlatformsScreen'),
  screen('settings/users', () => import('./settings/users/UsersScreen.tsx'), 'UsersScreen'),
  screen('settings/users/add', () => import('./settings/users/UserScreen.tsx'), 'UserScreen'),
  screen('settings/users/:id', () => import('./settings/users/UserScreen.tsx'), 'UserScreen'),
  screen('settings/mail', () => import('./settings/MailScreen.tsx'), 'MailScreen'),
  screen('settings/translation', () => import('./settings/TranslationScreen.tsx'), 'TranslationScreen'),
  screen('settings/usage', () => import('./settings/UsageScreen.tsx'), 'UsageScreen'),
  screen('settings/sign-in', () => import('./settings/SignInScreen.tsx'), 'SignInScreen'),
  screen('settings/history', () => import('./settings/history/HistoryScreen.tsx'), 'HistoryScreen'),
  screen('settings/api-keys', () => import('./settings/ApiKeysScreen.tsx'), 'ApiKeysScreen'),
  screen('settings/shares', () => import('./settings/shares/SharesScreen.tsx'), 'SharesScreen'),
  screen('settings/audit', () => import('./settings/AuditScreen.tsx'), 'AuditScreen'),
  screen('settings/privacy', () => import('./settings/PrivacyScreen.tsx'), 'PrivacyScreen'),
  screen(
    'settings/accessibility',
    () => import('./settings/accessibility/AccessibilityScreen.tsx'),
    'AccessibilityScreen',
  ),
];

/** Screens inside the shell. */
const screens: RouteObject[] = [
  {
    id: 'dashboard',
    index: true,
    lazy: async () => ({ Component: (await import('./dashboard/DashboardScreen.tsx')).DashboardScreen }),
  },
  screen('structures', () => import('./structures/StructuresScreen.tsx'), 'StructuresScreen'),
  screen('structures/add/:parentId?', () => import('./structures/StructureScreen.tsx'), 'StructureScreen'),
  screen('structures/:id', () => import('./structures/StructureScreen.tsx'), 'StructureScreen'),
  screen('spaces', () => import('./spaces/SpacesScreen.tsx'), 'SpacesScreen'),
  screen('spaces/add', () => import('./spaces/SpaceScreen.tsx'), 'SpaceScreen'),
  screen('spaces/new', () => import('./new-space/NewSpaceScreen.tsx'), 'NewSpaceScreen'),
  screen('spaces/:id', () => import('./spaces/SpaceScreen.tsx'), 'SpaceScreen'),
  screen('spaces/templates', () => import('./templates/TemplatesScreen.tsx'), 'TemplatesScreen'),
  screen('spaces/templates/add', () => import('./templates/TemplateScreen.tsx'), 'TemplateScreen'),
  screen('spaces/templates/:id', () => import('./templates/TemplateScreen.tsx'), 'TemplateScreen'),
  screen('spaces/proposals/:id', () => import('./spaces/ProposalScreen.tsx'), 'ProposalScreen'),
  screen('spaces/blocks', () => import('./blocks/BlocksScreen.tsx'), 'BlocksScreen'),
  screen('spaces/blocks/:id', () => import('./blocks/PlacesScreen.tsx'), 'PlacesScreen'),
  screen('media', () => import('./media/MediaScreen.tsx'), 'MediaScreen'),
  screen('live-streams', () => import('./live-streams/LiveStreamsScreen.tsx'), 'LiveStreamsScreen'),
  screen('live-streams/add', () => import('./live-streams/LiveStreamScreen.tsx'), 'AddLiveStreamScreen'),
  screen('live-streams/:id', () => import('./live-streams/LiveStreamScreen.tsx'), 'LiveStreamScreen'),
  screen('access-tokens', () => import('./access-tokens/AccessTokensScreen.tsx'), 'AccessTokensScreen'),
  screen('access-tokens/add', () => import('./access-tokens/AccessTokenScreen.tsx'), 'AccessTokenScreen'),
  screen('access-tokens/e-mails', () => import('./mailings/MailingsScreen.tsx'), 'MailingsScreen'),
  screen('access-tokens/e-mails/add', () => import('./mailings/MailingScreen.tsx'), 'MailingScreen'),
  screen('access-tokens/e-mails/:id', () => import('./mailings/MailingScreen.tsx'), 'MailingScreen'),
  screen('access-tokens/:id', () => import('./access-tokens/AccessTokenScreen.tsx'), 'AccessTokenScreen'),
  screen('statistics', () => import('./statistics/StatisticsScreen.tsx'), 'StatisticsScreen'),
  screen('bin', () => import('./bin/BinScreen.tsx'), 'BinScreen'),
  {
    id: 'all_settings',
    lazy: async () => ({ Component: (await import('./settings/SettingsLayout.tsx')).SettingsLayout }),
    children: settingsScreens,
  },
  screen('account', () => import('./account/AccountScreen.tsx'), 'AccountScreen'),
  { path: '*', Component: NotFoundScreen },
];

/** Redirects to the login without a session; the login redirects back. */
function guardOf(session: SessionStore): (request: Request) => Response | null {
  return (request) => {
    const { pathname, search } = new URL(request.url);
    return session.hasToken ? null : redirect(`/admin/login?redirect=${encodeURIComponent(pathname + search)}`);
  };
}

/** The editor's URLs. Its pages are separate documents; other paths below them redirect here. */
function editorRoutes(guard: ReturnType<typeof guardOf>): RouteObject[] {
  // A child route's redirect overrides the shell's, so each checks the session itself.
  const toSpaces: LoaderFunction = ({ request }) => guard(request) ?? redirect('/admin/spaces');
  const toEditor =
    (isPreview: boolean): LoaderFunction =>
    ({ request, params }) => {
      const path = editorPath(params.id, isPreview);
      return guard(request) ?? (path ? redirectDocument(path + new URL(request.url).search) : null);
    };
  return [
    { path: 'editor', loader: toSpaces },
    { path: 'editor/preview', loader: toSpaces },
    { path: 'editor/:id', loader: toEditor(false), Component: NotFoundScreen },
    { path: 'editor/preview/:id', loader: toEditor(true), Component: NotFoundScreen },
  ];
}

/** Routes of the back-office. All except sign-in and password reset need a session. */
export function createAdminRouter(session: SessionStore) {
  const guard = guardOf(session);
  return createBrowserRouter([
    {
      id: 'login',
      path: '/admin/login',
      loader: () => (session.hasToken ? redirect('/admin') : null),
      lazy: async () => ({ Component: (await import('./login/LoginScreen.tsx')).LoginScreen }),
    },
    {
      id: 'login.provider',
      path: '/admin/login/provider',
      loader: () => (session.hasToken ? redirect('/admin') : null),
      lazy: async () => ({ Component: (await import('./login/ProviderScreen.tsx')).ProviderScreen }),
    },
    {
      id: 'password',
      path: '/admin/password/:token/reset',
      lazy: async () => ({ Component: (await import('./login/PasswordScreen.tsx')).PasswordScreen }),
    },
    {
      path: '/admin',
      loader: ({ request }) => guard(request),
      Component: Shell,
      HydrateFallback: Nothing,
      children: [...editorRoutes(guard), ...screens],
    },
  ]);
}
