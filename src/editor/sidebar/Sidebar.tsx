import { Button, CloseButton, Group, Menu, Text, TextInput } from '@mantine/core';
import { IconFilter, IconFilterFilled, IconPlus, IconSearch } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { descriptors, type Element, type ElementType } from '../../../engine/document/element.ts';
import { changedPaths } from '../../../engine/document/field-paths.ts';
import { ancestorIdsOf, childrenOf, spotOf } from '../../../engine/document/tree.ts';
import { useTouched } from '../../ui/ActionsMenu.tsx';
import { IconAction } from '../../ui/IconAction.tsx';
import { say } from '../../ui/language/say.ts';
import { Tree } from '../../ui/tree/Tree.tsx';
import type { TreePlace } from '../../ui/tree/tree-rows.ts';
import { iconOf } from '../elements/forms.ts';
import { RENAME_EVENT, SEARCH_EVENT } from '../keys/events.ts';
import editorClasses from '../layout/editor.module.css';
import { Resizer } from '../layout/Resizer.tsx';
import { type Editor, useEditor } from '../session/editor-context.ts';
import { titleOf } from '../session/element-names.ts';
import { searchTextOf } from '../session/element-words.ts';
import { ElementRow } from './ElementRow.tsx';
import { fieldsInPlace } from './keep-place.ts';
import classes from './sidebar.module.css';

/** Filter of the tree. */
interface Search {
  words: string;
  /** Shows only elements of this type; null for all. */
  type: ElementType | null;
}

/** Whether the filter matches everything. */
const isAll = ({ words, type }: Search): boolean => words.trim() === '' && type === null;

/** An element as a tree item. */
interface ElementItem {
  id: number;
  element: Element;
  children: ElementItem[];
}

function itemsOf(elements: readonly Element[]): ElementItem[] {
  const items = new Map<number | null, ElementItem>();
  const top: ElementItem[] = [];
  for (const element of elements) {
    const item = { id: element.id, element, children: [] };
    items.set(element.id, item);
    (items.get(element.parent_element_id)?.children ?? top).push(item);
  }
  return top;
}

/** Elements that match the filter, with their parent groups, as a tree. */
function matching(elements: readonly Element[], search: Search): readonly ElementItem[] {
  if (isAll(search)) return itemsOf(elements);
  const wanted = search.words.trim().toLowerCase();
  const isMatch = (element: Element) =>
    (search.type === null || element.element === search.type) && searchTextOf(element).includes(wanted);
  const found = new Set(elements.filter(isMatch).map(({ id }) => id));
  const holders = ancestorIdsOf(elements, found);
  return itemsOf(elements.filter(({ id }) => found.has(id) || holders.has(id)));
}

/** Menu to filter the tree by type. */
function TypeFilter({
  elements,
  value,
  onChange,
}: {
  elements: readonly Element[];
  value: ElementType | null;
  onChange(type: ElementType | null): void;
}) {
  const counts = Map.groupBy(elements, ({ element }) => element);
  const types = [...counts.keys()].sort((one, other) =>
    say(descriptors[one].label).localeCompare(say(descriptors[other].label)),
  );
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <IconAction
          label="Filter by type"
          hint={value ? `Only ${say(descriptors[value].label)}` : 'Filter by type'}
          isPressed={value !== null}
          icon={value ? <IconFilterFilled size={16} /> : <IconFilter size={16} />}
        />
      </Menu.Target>
      <Menu.Dropdown mah="60dvh" style={{ overflowY: 'auto' }}>
        <Menu.Item fw={value === null ? 600 : undefined} onClick={() => onChange(null)}>
          All types
        </Menu.Item>
        {types.map((type) => {
          const TypeIcon = iconOf(type);
          return (
            <Menu.Item
              key={type}
              fw={value === type ? 600 : undefined}
              leftSection={<TypeIcon size={16} aria-hidden />}
              rightSection={counts.get(type)!.length}
              onClick={() => onChange(type)}
            >
              {say(descriptors[type].label)}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Row height in pixels, for a mouse and for touch. */
const ROW = 34;
const TOUCHED_ROW = 44;

/** Moves an element in the tree: before a sibling, or to the end of a parent. Its position in the room stays. */
function moveElement({ document }: Editor, element: Element, { parentId, beforeId }: TreePlace): void {
  const { elements } = document.room;
  const siblings = childrenOf(elements, parentId).filter(({ id }) => id !== element.id);
  const before = siblings.findIndex(({ id }) => id === beforeId);
  const behind = siblings[(before < 0 ? siblings.length : before) - 1]?.id ?? null;
  const was = spotOf(elements, element.id);
  if (was?.parent === parentId && was.after === behind) return;
  const move = { type: 'element.move', id: element.id, parent: parentId, after: behind } as const;
  const fields = was?.parent === parentId ? {} : fieldsInPlace(elements, element, parentId);
  const isMoved = Object.keys(changedPaths(element, fields)).length > 0;
  const settle = { type: 'element.update', id: element.id, fields } as const;
  document.run(isMoved ? [move, settle] : move, { label: `Move “${titleOf(element)}”` });
}

/**
 * Selects a row: alone, with Ctrl in addition to the others, or with Shift as a range from the active element.
 */
function selectRow(
  { selection }: Editor,
  id: number,
  rows: readonly { item: ElementItem }[],
  { shiftKey, ctrlKey, metaKey }: Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>,
): void {
  const ids = rows.map(({ item }) => item.id);
  const from = selection.activeId === null ? -1 : ids.indexOf(selection.activeId);
  if (shiftKey && from >= 0) {
    const to = ids.indexOf(id);
    const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
    // The start of the range stays active, so that the next range starts there, too.
    selection.selectMany([...selection.ids, ...range].filter((each) => each !== ids[from]).concat(ids[from]!));
  } else if (ctrlKey || metaKey || shiftKey) selection.toggle(id);
  else selection.select(id);
}

/** The elements of the room as a tree, with actions to add some. */
export const Sidebar = observer(({ onAdd }: { onAdd(parent: number | null): void }) => {
  const editor = useEditor();
  const { document, selection } = editor;
  const { elements } = document.room;
  const { isReadOnly } = document;
  const [words, setWords] = useState('');
  const searched = useDeferredValue(words);
  const search = useRef<HTMLInputElement>(null);
  const [renamed, setRenamed] = useState<number | null>(null);
  const [type, setType] = useState<ElementType | null>(null);
  const shown = useMemo(() => matching(elements, { words: searched, type }), [elements, searched, type]);
  useEffect(() => {
    const rename = () => {
      // With several selected, the focused row is meant.
      const row = globalThis.document.activeElement?.closest<HTMLElement>('[role="treeitem"]');
      const id = selection.selectedId ?? (row ? Number(row.dataset.id) : null);
      // The field needs the focus before the next key; otherwise a scheduled render would lose its first letters.
      flushSync(() => setRenamed(id));
    };
    const look = () => search.current?.focus();
    addEventListener(RENAME_EVENT, rename);
    addEventListener(SEARCH_EVENT, look);
    return () => {
      removeEventListener(RENAME_EVENT, rename);
      removeEventListener(SEARCH_EVENT, look);
    };
  }, [selection]);
  // Read-only mode ends a rename, which is not resumed afterwards.
  useEffect(() => {
    if (isReadOnly) setRenamed(null);
  }, [isReadOnly]);
  const isTouched = useTouched();
  const isSearching = !isAll({ words: searched, type });
  return (
    <aside className={editorClasses.tree} aria-label="Elements">
      <Resizer panel="tree" label="Width of the tree" />
      <Button
        leftSection={<IconPlus size={18} aria-hidden />}
        disabled={isReadOnly}
        onClick={() => onAdd(null)}
        style={{ flex: 'none' }}
      >
        Add an item
      </Button>
      <Group gap={4} wrap="nowrap" style={{ flex: 'none' }}>
        <TextInput
          flex={1}
          ref={search}
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
        <TypeFilter elements={elements} value={type} onChange={setType} />
      </Group>
      {shown.length === 0 ? (
        <Text c="dimmed" size="sm" p="xs">
          {isSearching
            ? `No elements match. ${type ? 'Try another type, or other words.' : 'Try other words.'}`
            : 'This space is empty. Add an item, or drop files into the room.'}
        </Text>
      ) : (
        <div className={classes.list}>
          <Tree<ElementItem>
            label="Elements"
            items={shown}
            search={[type, searched.trim()].filter(Boolean).join(' ')}
            rowHeight={isTouched ? TOUCHED_ROW : ROW}
            maxHeight="100%"
            nameOf={({ element }) => titleOf(element)}
            statesOf={({ element }) =>
              [element.hidden && 'hidden', !element.editable && 'locked'].filter((state) => state !== false)
            }
            isSelected={({ id }) => selection.has(id)}
            // Search results can't be reordered, because other siblings are hidden.
            canMove={({ element }) => element.editable && !isSearching && !isReadOnly}
            dragsByRow
            canHold={(_, parent) => parent === null || (parent.element.element === 'group' && parent.element.editable)}
            onMove={({ element }, place) => moveElement(editor, element, place)}
            revealed={selection.activeId}
            row={({ item }, grip, rows) => (
              <ElementRow
                element={item.element}
                grip={grip}
                isRenamed={renamed === item.id && !isReadOnly}
                isTouched={isTouched}
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
