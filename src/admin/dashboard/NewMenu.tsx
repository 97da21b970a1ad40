import { Button, Menu } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import {
  type Icon,
  IconBox,
  IconBroadcast,
  IconChevronDown,
  IconKey,
  IconMail,
  IconPlus,
  IconSitemap,
  IconTemplate,
  IconUser,
} from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { Area } from '../../contract/entities.ts';
import { useSession } from '../../ui/session/session-context.ts';

interface NewEntry {
  label: string;
  path: string;
  icon: Icon;
  /** Areas in which the user needs the right to create. */
  areas: readonly Area[];
}

/** Entities to add, the most common first. */
const ENTRIES: readonly NewEntry[] = [
  { label: 'Space or tour', path: '/admin/spaces/new', icon: IconBox, areas: ['rooms', 'endpoints'] },
  { label: 'Structure', path: '/admin/structures/add', icon: IconSitemap, areas: ['endpoints'] },
  { label: 'Template', path: '/admin/spaces/templates/add', icon: IconTemplate, areas: ['templates'] },
  { label: 'Live stream', path: '/admin/live-streams/add', icon: IconBroadcast, areas: ['live_streams'] },
  { label: 'Access token', path: '/admin/access-tokens/add', icon: IconKey, areas: ['access_tokens'] },
  { label: 'E-mail', path: '/admin/access-tokens/e-mails/add', icon: IconMail, areas: ['access_tokens'] },
  { label: 'User', path: '/admin/settings/users/add', icon: IconUser, areas: ['settings'] },
];

/** Button with everything that the user may add; the key N opens it. */
export function NewMenu() {
  const session = useSession();
  const [isOpen, { open, close, toggle }] = useDisclosure();
  useHotkeys([['N', open]]);
  const entries = ENTRIES.filter(({ areas }) => areas.every((area) => session.may(area, 'create')));
  if (entries.length === 0) return null;
  return (
    <Menu opened={isOpen} onChange={(opened) => !opened && close()} position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <Button
          leftSection={<IconPlus size={18} aria-hidden />}
          rightSection={<IconChevronDown size={16} aria-hidden />}
          aria-keyshortcuts="N"
          onClick={toggle}
        >
          New
        </Button>
      </Menu.Target>
      <Menu.Dropdown miw={200}>
        {entries.map(({ label, path, icon: EntryIcon }) => (
          <Menu.Item key={path} component={Link} to={path} leftSection={<EntryIcon size={16} aria-hidden />}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
