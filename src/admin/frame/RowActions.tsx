import { ActionsMenu, type MenuAction, useTouched } from '../../ui/ActionsMenu.tsx';
import { RowAction } from './List.tsx';

/** Row action. The row's name is appended to its accessible label. */
export interface RowActionItem extends MenuAction {
  /** Text next to the icon, if there is room. */
  word?: string;
}

/**
 * Row actions: icons with hover, a menu without.
 * @param name accessible name of the row
 * @param items actions the user may run; false entries are omitted
 */
export function RowActions({ name, items }: { name: string; items: readonly (RowActionItem | false | undefined)[] }) {
  const isTouched = useTouched();
  const actions = items.filter((item) => item !== false && item !== undefined);
  if (actions.length === 0) return null;
  if (isTouched) return <ActionsMenu name={name} items={actions} />;
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
