import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ActionsMenu, type MenuAction, useTouched } from '../../ui/ActionsMenu.tsx';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { IconAction } from '../../ui/IconAction.tsx';
import { showProblem } from '../../ui/notifications.ts';
import classes from './list.module.css';

/** Row action. The row's name is appended to its accessible label. */
export interface RowActionItem extends MenuAction {
  /** Text next to the icon, if there is room. */
  word?: string;
}

/**
 * Row actions: icons with hover, a menu without.
 * @param isMenu whether there is only room for a menu
 * @param name accessible name of the row
 * @param items actions the user may run; false entries are omitted
 */
export function RowActions({
  name,
  items,
  isMenu = false,
}: {
  name: string;
  items: readonly (RowActionItem | false | undefined)[];
  isMenu?: boolean;
}) {
  const isTouched = useTouched();
  const actions = items.filter((item) => item !== false && item !== undefined);
  if (actions.length === 0) return null;
  if (isTouched || isMenu) return <ActionsMenu name={name} items={actions} />;
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
}

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
  cells,
  actions,
  wraps = false,
}: {
  /** Content before the name, such as a checkbox. */
  lead?: ReactNode;
  name: string;
  /** Whether the name is a sentence, shown in full. */
  wraps?: boolean;
  details?: ReactNode;
  /** Short values in columns of equal width. */
  cells?: readonly ReactNode[];
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
      {cells && (
        <div className={classes.cells}>
          {cells.map((cell, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns never reorder.
            <span key={index}>{cell}</span>
          ))}
        </div>
      )}
      {actions && <div className={classes.actions}>{actions}</div>}
    </li>
  );
}

/** An icon button of a row. */
export function RowAction({ label, ...action }: Parameters<typeof IconAction>[0]) {
  return <IconAction label={label} hint={label.split(':')[0]} {...action} />;
}

/**
 * Asks before a removal and shows its errors.
 * @param question names the removed entries and the consequences
 * @param remove removes it
 */
export async function confirmRemoval(
  question: { title: string; text: string },
  remove: () => Promise<unknown>,
): Promise<void> {
  if (await confirm({ ...question, action: 'Remove', destroys: true })) await remove().catch(showProblem);
}
