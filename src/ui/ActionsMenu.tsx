import { Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { IconAction } from './IconAction.tsx';

/** An action of a row: it leads to a screen, or does something. */
export interface MenuAction {
  label: string;
  icon: ReactNode;
  to?: string | undefined;
  destroys?: boolean;
  /** Whether it opens a field, which then has the focus. */
  takesFocus?: boolean;
  onClick?: (() => void) | undefined;
}

/** Whether no pointer can rest on icons, or there is no room for them: actions of rows stand in a menu then. */
export const useTouched = (): boolean =>
  useMediaQuery('(hover: none), (max-width: 600px)', undefined, { getInitialValueInEffect: false });

/** The actions of a row in a menu, with words. @param name of what they are about */
export function ActionsMenu({ name, items }: { name: string; items: readonly MenuAction[] }) {
  const [isFocusTaken, setFocusTaken] = useState(false);
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
        {items.map(({ label, icon, to, destroys, takesFocus = false, onClick }) =>
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
