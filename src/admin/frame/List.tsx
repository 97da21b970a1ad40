import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconAction } from '../../ui/IconAction.tsx';
import classes from './list.module.css';

/** A vertical list of entries. */
export function List({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}

/** A row of a list without columns. Actions show on hover, focus and touch. */
export function ListRow({
  lead,
  name,
  details,
  actions,
  wraps = false,
}: {
  /** Content before the name, such as a checkbox. */
  lead?: ReactNode;
  name: string;
  /** Whether the name is a sentence, shown in full. */
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

/** An icon button of a row. */
export function RowAction({ label, ...action }: Parameters<typeof IconAction>[0]) {
  return <IconAction label={label} hint={label.split(':')[0]} {...action} />;
}
