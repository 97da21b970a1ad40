import { TextInput } from '@mantine/core';
import { IconEyeOff, IconLock } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Element } from '../../../engine/document/element.ts';
import { branchOf, spotOf } from '../../../engine/document/tree.ts';
import { focusCanvas } from '../canvas/focus-canvas.ts';
import { iconOf } from '../elements/forms.ts';
import { asBranch } from '../session/copies.ts';
import { type Editor, useEditor } from '../session/editor-context.ts';
import { renameElement } from '../session/element-actions.ts';
import { titleOf } from '../session/element-names.ts';
import { OthersAt } from '../together/Others.tsx';
import { ElementActions } from './ElementActions.tsx';
import classes from './sidebar.module.css';

/** An element with everything in it, and its place; undefined when it does not exist. */
function placedBranchOf({ document: { room } }: Editor, { id }: Element) {
  const [branch] = asBranch(branchOf(room.elements, id));
  const spot = spotOf(room.elements, id);
  return branch && spot && { branch, spot };
}

/** The field that stands in place of a name while it is changed: Enter and leaving it save, Esc cancels. */
function NameField({ element, onDone }: { element: Element; onDone(): void }) {
  const editor = useEditor();
  const [name, setName] = useState(element.name);
  // Esc takes the field away, which counts as leaving it.
  const isDone = useRef(false);
  /** Where the element was last, for when somebody removes it meanwhile. */
  const last = useRef(placedBranchOf(editor, element));
  last.current = placedBranchOf(editor, element) ?? last.current;
  const finish = (isSaved: boolean) => {
    if (isDone.current) return;
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
    if (event.key === 'Enter') finish(true);
    if (event.key === 'Escape') finish(false);
  };
  return (
    <TextInput
      size="xs"
      flex={1}
      aria-label={`Name of ${titleOf(element)}`}
      maxLength={255}
      autoFocus
      value={name}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setName(event.currentTarget.value)}
      onKeyDown={onKey}
      onBlur={() => finish(true)}
    />
  );
}

/** One element in the tree, with what can be done with it. */
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
    /** Whether its actions stand in a menu. */
    isTouched: boolean;
    onRename(isRenamed: boolean): void;
    onAddChild(): void;
    /** The row was pressed: alone, to join what is selected, or with everything between. */
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
          aria-current={selection.has(id) || undefined}
          aria-disabled={hidden || !editable || undefined}
          title={title}
          onClick={(event) => {
            onSelect(event);
            // Whoever pressed it with a pointer goes on with the keys of the canvas; others stay where they are.
            if (event.detail > 0 && selection.selectedId === id) focusCanvas();
          }}
          onDoubleClick={() => editable && !document.isReadOnly && onRename(true)}
          onKeyDown={(event) => {
            // Browsers press a button with Enter alone.
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            selection.toggle(id);
          }}
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
