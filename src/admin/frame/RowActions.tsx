import { Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { IconAction } from '../../ui/IconAction.tsx';
import { RowAction } from './List.tsx';

/** One action of a row: it leads to a screen, or does something. */
export interface RowActionItem {
  /** What it does; the name of what it is done to stands behind it. */
  label: string;
  icon: ReactNode;
  /** What stands beside the icon, where there is room for it. */
  word?: string;
  to?: string | undefined;
  destroys?: boolean;
  /** Whether it opens a field, which then has the focus. */
  takesFocus?: boolean;
  onClick?: (() => void) | undefined;
}

/**
 * The actions of a row: icons where a pointer can rest on them, and a menu with words where none can.
 * @param name of what they are about
 * @param items those that the user may do; what is false is left out
 */
export function RowActions({ name, items }: { name: string; items: readonly (RowActionItem | false | undefined)[] }) {
  const isTouched = useMediaQuery('(hover: none), (max-width: 600px)', undefined, { getInitialValueInEffect: false });
  const actions = items.filter((item) => item !== false && item !== undefined);
  const [isFocusTaken, setFocusTaken] = useState(false);
  if (actions.length === 0) return null;
  if (!isTouched)
    return actions.map(({ label, icon, word, to, destroys, onClick }) => (
      <RowAction
        key={label}
        label={`${label}: ${name}`}
        icon={icon}
        {...(word && { word })}
        {...(to !== undefined && { to })}
        {...(destroys && { destroys })}
        {...(onClick && { onClick })}
      />
    ));
  return (
    <Menu
      position="bottom-end"
      withinPortal
      shadow="md"
      returnFocus={!isFocusTaken}
      onOpen={() => setFocusTaken(false)}
    >
      <Menu.Target>
        <IconAction label={`Actions: ${name}`} hint="Actions" icon={<IconDots size={20} />} />
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, icon, to, destroys, takesFocus = false, onClick }) =>
          to === undefined ? (
            <Menu.Item
              key={label}
              leftSection={icon}
              {...(destroys && { c: 'var(--mantine-color-error)' })}
              onClick={() => {
                setFocusTaken(takesFocus);
                onClick?.();
              }}
            >
              {label}
            </Menu.Item>
          ) : (
            <Menu.Item key={label} leftSection={icon} component={Link} to={to}>
              {label}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
