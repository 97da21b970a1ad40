import {
  type Icon,
  IconBox,
  IconBroadcast,
  IconChartBar,
  IconKey,
  IconLayoutDashboard,
  IconPhoto,
  IconSettings,
  IconSitemap,
  IconTrash,
} from '@tabler/icons-react';
import { AREAS, type Area, type Right } from '../../contract/entities.ts';

interface MenuEntry {
  label: string;
  path: string;
  /** Area whose `view_any` it needs; `any` for at least one area, null for everyone. */
  area: Area | 'any' | null;
  /** Heading above it and the entries that follow. */
  group?: string;
}

/** A top-level entry with its submenu. */
interface MenuPart extends MenuEntry {
  icon: Icon;
  /** Whether its screens show the submenu themselves. */
  hasOwnMenu?: boolean;
  children: MenuEntry[];
}

/** Path of the moderation screen. */
export const MESSAGES_PATH = '/admin/settings/shares';

/** Window event that opens the palette. */
export const PALETTE_EVENT = 'enfilade:palette';

/** All menu entries in order. */
export const MENU: readonly MenuPart[] = [
  { label: 'Dashboard', path: '/admin', area: null, icon: IconLayoutDashboard, children: [] },
  {
    label: 'Structures',
    path: '/admin/structures',
    area: 'endpoints',
    icon: IconSitemap,
    children: [{ label: 'Overview', path: '/admin/structures', area: 'endpoints' }],
  },
  {
    label: 'Spaces',
    path: '/admin/spaces',
    area: 'rooms',
    icon: IconBox,
    children: [
      { label: 'Overview', path: '/admin/spaces', area: 'rooms' },
      { label: 'Templates', path: '/admin/spaces/templates', area: 'templates' },
      { label: 'Blocks', path: '/admin/spaces/blocks', area: 'rooms' },
    ],
  },
  { label: 'Media', path: '/admin/media', area: 'media', icon: IconPhoto, children: [] },
  {
    label: 'Live streams',
    path: '/admin/live-streams',
    area: 'live_streams',
    icon: IconBroadcast,
    children: [{ label: 'Overview', path: '/admin/live-streams', area: 'live_streams' }],
  },
  {
    label: 'Access tokens',
    path: '/admin/access-tokens',
    area: 'access_tokens',
    icon: IconKey,
    children: [
      { label: 'Overview (last 100)', path: '/admin/access-tokens', area: 'access_tokens' },
      { label: 'E-mails', path: '/admin/access-tokens/e-mails', area: 'access_tokens' },
    ],
  },
  { label: 'Statistics', path: '/admin/statistics', area: 'endpoints', icon: IconChartBar, children: [] },
  {
    label: 'Settings',
    path: '/admin/settings',
    area: 'settings',
    icon: IconSettings,
    hasOwnMenu: true,
    children: [
      { label: 'General', path: '/admin/settings', area: 'settings', group: 'Site' },
      { label: 'Branding', path: '/admin/settings/branding', area: 'settings' },
      { label: 'Embed', path: '/admin/settings/embed', area: 'settings' },
      { label: 'Feed', path: '/admin/settings/feed', area: 'settings' },
      { label: 'Texts', path: '/admin/settings/texts', area: 'settings' },
      { label: 'Visitors’ messages', path: MESSAGES_PATH, area: 'settings' },
      { label: 'Privacy', path: '/admin/settings/privacy', area: 'settings' },
      { label: 'Accessibility', path: '/admin/settings/accessibility', area: 'settings' },
      { label: 'Users', path: '/admin/settings/users', area: 'settings', group: 'People' },
      { label: 'Sign-in', path: '/admin/settings/sign-in', area: 'settings' },
      { label: 'History', path: '/admin/settings/history', area: 'settings' },
      { label: 'Audit log', path: '/admin/settings/audit', area: 'settings' },
      { label: 'Platforms', path: '/admin/settings/platforms', area: 'settings', group: 'Connections' },
      { label: 'E-mail', path: '/admin/settings/mail', area: 'settings' },
      { label: 'Translation', path: '/admin/settings/translation', area: 'settings' },
      { label: 'Webhooks', path: '/admin/webhooks', area: 'settings' },
      { label: 'API keys', path: '/admin/settings/api-keys', area: 'settings' },
      { label: 'Usage', path: '/admin/settings/usage', area: 'settings' },
    ],
  },
  { label: 'Bin', path: '/admin/bin', area: 'any', icon: IconTrash, children: [] },
];

/** Whether the user may see an entry. */
export const isOpenTo = (session: { may(area: Area, right: Right): boolean }, area: MenuEntry['area']): boolean =>
  area === null ||
  (area === 'any' ? AREAS.some((each) => session.may(each, 'view_any')) : session.may(area, 'view_any'));

/** Whether a path is inside an entry. */
export const liesIn = (pathname: string, path: string): boolean =>
  path === '/admin' ? pathname === path : pathname === path || pathname.startsWith(`${path}/`);

/** Whether a part of the menu contains a path; its entries may lie outside its own path. */
export const holds = (part: MenuPart, pathname: string): boolean =>
  liesIn(pathname, part.path) || part.children.some(({ path }) => liesIn(pathname, path));

/** The submenu entry with the longest matching path. */
export const currentWay = ({ children }: MenuPart, pathname: string): MenuEntry | undefined =>
  children
    .filter(({ path }) => liesIn(pathname, path))
    .toSorted((one, other) => other.path.length - one.path.length)[0];
