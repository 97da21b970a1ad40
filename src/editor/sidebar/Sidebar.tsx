import { Button, CloseButton, Text, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { Element } from '../../../engine/document/element.ts';
import { childrenOf, placeInTree } from '../../../engine/document/tree.ts';
import { Tree } from '../../ui/tree/Tree.tsx';
import type { TreePlace } from '../../ui/tree/tree-rows.ts';
import editorClasses from '../layout/editor.module.css';
import { type Editor, useEditor } from '../session/editor-context.ts';
import { titleOf } from '../session/element-actions.ts';
import { ElementRow } from './ElementRow.tsx';
import { RENAME_EVENT } from './rename-event.ts';
import { matching } from './search.ts';
import classes from './sidebar.module.css';

/** Height of a row in pixels. */
const ROW = 34;

/** Moves an element before a sibling, or behind the last one of a parent. */
function moveElement({ document }: Editor, element: Element, { parentId, beforeId }: TreePlace): void {
  const { elements } = document.room;
  const siblings = (childrenOf(elements, parentId) ?? []).filter(({ id }) => id !== element.id);
  const before = siblings.findIndex(({ id }) => id === beforeId);
  const index = before < 0 ? siblings.length : before;
  const was = placeInTree(elements, element.id);
  if (was?.parent === parentId && was.index === index) return;
  document.run(
    { type: 'element.move', id: element.id, parent: parentId, index },
    { label: `Move “${titleOf(element)}”` },
  );
}

/**
 * What pressing a row of the tree selects: it alone, it besides the others with Ctrl, and with Shift everything between
 * it and the active one.
 */
function selectRow(
  { selection }: Editor,
  id: number,
  rows: readonly { item: Element }[],
  { shiftKey, ctrlKey, metaKey }: Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>,
): void {
  const ids = rows.map(({ item }) => item.id);
  const from = selection.activeId === null ? -1 : ids.indexOf(selection.activeId);
  if (shiftKey && from >= 0) {
    const to = ids.indexOf(id);
    const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
    // The one that it began with stays active, so that the next range begins there as well.
    selection.selectMany([...selection.ids, ...range].filter((each) => each !== ids[from]).concat(ids[from]!));
  } else if (ctrlKey || metaKey || shiftKey) selection.toggle(id);
  else selection.select(id);
}

/** The elements of the room as a tree, and what adds one. */
export const Sidebar = observer(({ onAdd }: { onAdd(parent: number | null): void }) => {
  const editor = useEditor();
  const { document, selection } = editor;
  const { elements } = document.room;
  const [words, setWords] = useState('');
  const searched = useDeferredValue(words);
  const [renamed, setRenamed] = useState<number | null>(null);
  const shown = useMemo(() => matching(elements, searched), [elements, searched]);
  useEffect(() => {
    const rename = () => setRenamed(selection.selectedId);
    addEventListener(RENAME_EVENT, rename);
    return () => removeEventListener(RENAME_EVENT, rename);
  }, [selection]);
  const isSearching = searched.trim() !== '';
  return (
    <aside className={editorClasses.tree} aria-label="Elements">
      <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => onAdd(null)} style={{ flex: 'none' }}>
        Add an item
      </Button>
      <TextInput
        type="search"
        aria-label="Search elements"
        placeholder="Search"
        maxLength={200}
        size="xs"
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={words && <CloseButton size="xs" aria-label="Clear the search" onClick={() => setWords('')} />}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      {shown.length === 0 ? (
        <Text c="dimmed" size="sm" p="xs">
          {isSearching
            ? 'No elements match. Try other words.'
            : 'This space is empty. Add an item, or drop files into the room.'}
        </Text>
      ) : (
        <div className={classes.list}>
          <Tree<Element>
            label="Elements"
            items={shown}
            search={searched.trim()}
            rowHeight={ROW}
            maxHeight="100%"
            nameOf={titleOf}
            // An order of what a search has found says nothing about the others.
            canMove={({ editable }) => editable && !isSearching}
            canHold={(_, parent) => parent === null || (parent.element === 'group' && parent.editable)}
            onMove={(element, place) => moveElement(editor, element, place)}
            revealed={selection.activeId}
            row={({ item }, grip, rows) => (
              <ElementRow
                element={item}
                grip={grip}
                isRenamed={renamed === item.id}
                onRename={(is) => setRenamed(is ? item.id : null)}
                onAddChild={() => onAdd(item.id)}
                onSelect={(event) => selectRow(editor, item.id, rows, event)}
              />
            )}
          />
        </div>
      )}
    </aside>
  );
});
