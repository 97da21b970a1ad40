import { MENU } from '../shell/menu.ts';

/** Labels of the settings on each screen, as they are shown there. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  '/admin/settings': [
    'Organization name',
    'Meta title',
    'Meta description',
    'List rooms in search engines',
    'Default template',
    'Time zone',
  ],
  '/admin/settings/branding': ['Logo', 'Accent color', 'Font', 'Text color'],
  '/admin/settings/privacy': [
    'Keep audit log (days)',
    'Keep visitors’ messages (days)',
    'Keep original uploads up to (MB)',
    'Count visits',
    'Record positions (heat map)',
    'Third-party content',
    'Google Tag Manager',
  ],
  '/admin/settings/accessibility': [
    'Accessibility statement',
    'Legal name',
    'Contact e-mail',
    'Contact phone',
    'Contact form (URL)',
    'Enforcement body',
    'Enforcement URL',
    'Known limitations',
    'Last review',
  ],
  '/admin/settings/sign-in': ['Require second factor', 'Sign-in with a password', 'Sign-in with an identity provider'],
  '/admin/settings/mail': ['Own mail server', 'E-mails per second', 'Delivery reports'],
  '/admin/settings/translation': ['Translation webhook'],
};

/** A screen of the settings, or a setting on one. */
export interface SettingsEntry {
  label: string;
  path: string;
  /** Whether it is a setting, to be found by its label on the screen. */
  isField: boolean;
}

/** A group of screens in the settings. */
export interface SettingsGroup {
  title: string;
  screens: SettingsEntry[];
}

const SCREENS = MENU.find(({ path }) => path === '/admin/settings')!.children;

/** The screens of the settings, by group. */
export const SETTINGS_GROUPS: readonly SettingsGroup[] = SCREENS.reduce<SettingsGroup[]>(
  (groups, { label, path, group }) => {
    if (group) groups.push({ title: group, screens: [] });
    groups.at(-1)!.screens.push({ label, path, isField: false });
    return groups;
  },
  [],
);

/** Every screen, each followed by its settings. */
export const SETTINGS_ENTRIES: readonly SettingsEntry[] = SETTINGS_GROUPS.flatMap(({ screens }) =>
  screens.flatMap((screen) => [
    screen,
    ...(FIELDS[screen.path] ?? []).map((label) => ({ label, path: screen.path, isField: true })),
  ]),
);
