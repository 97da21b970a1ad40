import { TextInput, Tooltip } from '@mantine/core';
import {
  IconCopy,
  IconCursorText,
  IconEye,
  IconEyeOff,
  IconLock,
  IconLockOpen,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Element } from '../../../engine/document/element.ts';
import { branchOf, spotOf } from '../../../engine/document/tree.ts';
import { ActionsMenu, type MenuAction } from '../../ui/ActionsMenu.tsx';
import { IconAction } from '../../ui/IconAction.tsx';
import { focusCanvas } from '../canvas/canvas-store.ts';
import { iconOf } from '../elements/forms.ts';
import { asBranch } from '../session/copies.ts';
import { type Editor, useEditor } from '../session/editor-context.ts';
import {
  copyElement,
  hideElement,
  isLeftOut,
  MAX_NAME_LENGTH,
  removeElement,
  renameElement,
  unlockElement,
} from '../session/element-actions.ts';
import { titleOf } from '../session/element-names.ts';
import { OthersAt } from '../together/Others.tsx';
import classes from './sidebar.module.css';

/** Icon size in pixels. */
const SIZE = 16;

interface ElementAction extends MenuAction {
  /** Tooltip, if it differs from the label. */
  hint?: string;
}

/** Actions of a tree row: icons for hovering pointers, a menu with labels for touch. */
const ElementActions = observer(
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
    // With a mouse, a double click renames.
    const rename = { label: 'Rename', icon: <IconCursorText size={SIZE} />, takesFocus: true, onClick: onRename };
    const inWords = actions.map(({ hint, ...action }) => ({ ...action, label: hint ?? action.label }));
    const all = editable ? [rename, ...inWords] : inWords;
    return <ActionsMenu name={title} items={all.map((item) => ({ ...item, isDisabled }))} />;
  },
);

/** An element with its descendants, and its place; undefined if it does not exist. */
function placedBranchOf({ document: { room } }: Editor, { id }: Element) {
  const [branch] = asBranch(branchOf(room.elements, id));
  const spot = spotOf(room.elements, id);
  return branch && spot && { branch, spot };
}

/** Inline field to rename an element: Enter and blur save, Esc cancels. */
function NameField({ element, onDone }: { element: Element; onDone(): void }) {
  const editor = useEditor();
  const [name, setName] = useState(element.name);
  /** Gets the focus back after Enter and Esc. */
  const [before] = useState(() => document.activeElement as HTMLElement | null);
  // Esc removes the field, which causes a blur event.
  const isDone = useRef(false);
  const isTooLong = name.trim().length > MAX_NAME_LENGTH;
  /** Last known place of the element, in case someone removes it meanwhile. */
  const last = useRef(placedBranchOf(editor, element));
  last.current = placedBranchOf(editor, element) ?? last.current;
  const finish = (isSaved: boolean) => {
    // The field stays, with its error.
    if (isDone.current || (isSaved && isTooLong)) return;
    isDone.current = true;
    if (isSaved && placedBranchOf(editor, element)) renameElement(editor, element, name.trim());
    else if (isSaved && last.current) editor.drafts.loseName(last.current.branch, last.current.spot, name.trim());
    onDone();
  };
  const leave = useRef(finish);
  leave.current = finish;
  useEffect(() => () => leave.current(!editor.document.isReadOnly), [editor]);
  const onKey = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    finish(event.key === 'Enter');
    if (isDone.current) before?.focus();
  };
  const problem = `Use at most ${MAX_NAME_LENGTH} characters.`;
  return (
    <Tooltip label={<span role="alert">{problem}</span>} opened={isTooLong} position="bottom" color="red">
      <TextInput
        size="xs"
        flex={1}
        aria-label={`Name of ${titleOf(element)}`}
        aria-description={isTooLong ? problem : undefined}
        error={isTooLong}
        autoFocus
        value={name}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={onKey}
        onBlur={() => finish(true)}
      />
    </Tooltip>
  );
}

/** A row of the tree with its actions. */
export const ElementRow = observer(
  ({
    element,
    grip,
    isRenamed,
    isTouched,
    onRename,
    onAddChild,
    onSelect,
  }: {
    element: Element;
    grip: ReactNode;
    isRenamed: boolean;
    /** Whether actions are in a menu. */
    isTouched: boolean;
    onRename(isRenamed: boolean): void;
    onAddChild(): void;
    /** Called on a press; modifiers select one, toggle, or select a range. */
    onSelect(event: MouseEvent): void;
  }) => {
    const editor = useEditor();
    const { document, selection } = editor;
    const { id, hidden, editable } = element;
    const title = titleOf(element);
    const TypeIcon = iconOf(element.element);
    if (isRenamed)
      return (
        <>
          <TypeIcon size={16} className={classes.icon} aria-hidden />
          <NameField element={element} onDone={() => onRename(false)} />
        </>
      );
    return (
      <div
        className={classes.row}
        data-hidden={hidden || undefined}
        onPointerEnter={() => selection.hover(id)}
        onPointerLeave={() => selection.hover(null)}
      >
        <button
          type="button"
          className={classes.name}
          data-primary
          tabIndex={-1}
          aria-disabled={hidden || !editable || undefined}
          title={title}
          onClick={(event) => {
            onSelect(event);
            // After a pointer press, shortcuts go to the canvas; after a key press, the focus stays.
            if (event.detail > 0 && selection.selectedId === id) focusCanvas();
          }}
          onDoubleClick={() => editable && !document.isReadOnly && onRename(true)}
        >
          <TypeIcon size={16} className={classes.icon} aria-hidden />
          <span className={classes.words}>{title}</span>
          {hidden && <IconEyeOff size={14} role="img" aria-label="Hidden" />}
          {!editable && <IconLock size={14} role="img" aria-label="Locked" />}
          <OthersAt id={id} />
        </button>
        <div className={classes.actions}>
          {grip}
          <ElementActions
            element={element}
            isTouched={isTouched}
            onAddChild={onAddChild}
            onRename={() => onRename(true)}
          />
        </div>
      </div>
    );
  },
);
