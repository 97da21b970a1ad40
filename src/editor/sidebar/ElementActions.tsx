import { IconCopy, IconCursorText, IconEye, IconEyeOff, IconLockOpen, IconPlus, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import type { Element } from '../../../engine/document/element.ts';
import { ActionsMenu, type MenuAction } from '../../ui/ActionsMenu.tsx';
import { IconAction } from '../../ui/IconAction.tsx';
import { useEditor } from '../session/editor-context.ts';
import { copyElement, hideElement, isLeftOut, removeElement, unlockElement } from '../session/element-actions.ts';
import { titleOf } from '../session/element-names.ts';

/** Pixels of an icon. */
const SIZE = 16;

interface ElementAction extends MenuAction {
  /** What a pointer that rests on its icon is told, where that is not its label. */
  hint?: string;
}

/** What can be done with an element of the tree: icons where a pointer can rest on them, and a menu with words where none can. */
export const ElementActions = observer(
  ({
    element,
    isTouched,
    onAddChild,
    onRename,
  }: {
    element: Element;
    isTouched: boolean;
    onAddChild(): void;
    onRename(): void;
  }) => {
    const editor = useEditor();
    const { hidden, editable } = element;
    const { isReadOnly: isDisabled } = editor.document;
    const title = titleOf(element);
    const isGroup = element.element === 'group';
    const items: readonly (ElementAction | false)[] = [
      !editable && {
        label: 'Unlock',
        icon: <IconLockOpen size={SIZE} />,
        onClick: () => unlockElement(editor, element),
      },
      isGroup &&
        editable && { label: 'Add to', hint: 'Add an item', icon: <IconPlus size={SIZE} />, onClick: onAddChild },
      editable && {
        label: hidden ? 'Show' : 'Hide',
        icon: hidden ? <IconEye size={SIZE} /> : <IconEyeOff size={SIZE} />,
        onClick: () => void hideElement(editor, element),
      },
      !isGroup &&
        editable &&
        !hidden && { label: 'Copy', icon: <IconCopy size={SIZE} />, onClick: () => void copyElement(editor, element) },
      editable &&
        !isLeftOut(editor, element) && {
          label: 'Remove',
          icon: <IconTrash size={SIZE} />,
          destroys: true,
          onClick: () => void removeElement(editor, element),
        },
    ];
    const actions = items.filter((item) => item !== false);
    if (!isTouched)
      return actions.map(({ label, hint = label, icon, destroys, onClick }) => (
        <IconAction
          key={label}
          label={`${label} ${title}`}
          hint={hint}
          icon={icon}
          isDisabled={isDisabled}
          {...(destroys && { destroys })}
          {...(onClick && { onClick })}
        />
      ));
    // By the mouse a name is changed by pressing it twice.
    const rename = { label: 'Rename', icon: <IconCursorText size={SIZE} />, takesFocus: true, onClick: onRename };
    const inWords = actions.map(({ hint, ...action }) => ({ ...action, label: hint ?? action.label }));
    const all = editable ? [rename, ...inWords] : inWords;
    return <ActionsMenu name={title} items={all.map((item) => ({ ...item, isDisabled }))} />;
  },
);
