import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconAction } from '../../ui/IconAction.tsx';
import classes from './list.module.css';

/** A list of entries, one below the other. */
export function List({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}

/** An entry of a list without columns; its actions show on hover, on focus and on touch. */
export function ListRow({
  lead,
  name,
  details,
  actions,
  wraps = false,
}: {
  /** What stands before its name, such as a check box. */
  lead?: ReactNode;
  name: string;
  /** Whether its name is a sentence, which is read as a whole. */
  wraps?: boolean;
  details?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <li className={classes.row}>
      <div className={classes.head}>
        {lead}
        <Text span className={classes.name} data-wraps={wraps || undefined}>
          {name}
        </Text>
      </div>
      {details && <div className={classes.details}>{details}</div>}
      {actions && <div className={classes.actions}>{actions}</div>}
    </li>
  );
}

/** One action of a row: an icon that says what it does, and to what. */
export function RowAction({ label, ...action }: Parameters<typeof IconAction>[0]) {
  return <IconAction label={label} hint={label.split(':')[0]} {...action} />;
}
