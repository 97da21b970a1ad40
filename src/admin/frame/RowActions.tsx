import { ActionsMenu, type MenuAction, useTouched } from '../../ui/ActionsMenu.tsx';
import { RowAction } from './List.tsx';

/** One action of a row. The name of what it is done to stands behind its label. */
export interface RowActionItem extends MenuAction {
  /** What stands beside the icon, where there is room for it. */
  word?: string;
}

/**
 * The actions of a row: icons where a pointer can rest on them, and a menu with words where none can.
 * @param name of what they are about
 * @param items those that the user may do; what is false is left out
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
