import { Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import { type ReactElement, type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { IconAction } from './IconAction.tsx';

/** A row action: a link or a function. */
export interface MenuAction {
  label: string;
  icon: ReactNode;
  to?: string | undefined;
  destroys?: boolean;
  isDisabled?: boolean;
  /** Whether it opens a field that takes focus. */
  takesFocus?: boolean;
  onClick?: (() => void) | undefined;
}

/** Media query for a menu instead of icons: no hover, or a narrow screen. */
export const useTouched = (): boolean =>
  useMediaQuery('(hover: none), (max-width: 600px)', undefined, { getInitialValueInEffect: false });

/** Menu of row actions. @param name accessible name of the row */
export const ActionsMenu = ({ name, items }: { name: string; items: readonly MenuAction[] }) => (
  <MenuOfActions
    items={items}
    target={<IconAction label={`Actions: ${name}`} hint="Actions" icon={<IconDots size={20} />} />}
  />
);

/** Menu of actions. @param target the button that opens it */
export function MenuOfActions({ target, items }: { target: ReactElement; items: readonly MenuAction[] }) {
  const [isFocusTaken, setFocusTaken] = useState(false);
  return (
    <Menu
      position="bottom-end"
      withinPortal
      shadow="md"
      returnFocus={!isFocusTaken}
      onOpen={() => setFocusTaken(false)}
    >
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {items.map(({ label, icon, to, destroys, isDisabled, takesFocus = false, onClick }) =>
          to === undefined ? (
            <Menu.Item
              key={label}
              leftSection={icon}
              disabled={isDisabled}
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
