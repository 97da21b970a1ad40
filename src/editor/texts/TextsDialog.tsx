import { Checkbox, Group, Modal, SegmentedControl, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { descriptors, type Element, type ElementType } from '../../../engine/document/element.ts';
import { isPlace } from '../../../engine/document/places.ts';
import { findElement } from '../../../engine/document/tree.ts';
import { say } from '../../ui/language/say.ts';
import { type CellPlace, CellTable } from '../../ui/sheet/CellTable.tsx';
import { useTypedAhead } from '../../ui/typed-ahead.ts';
import { iconOf } from '../elements/forms.ts';
import { labelAt } from '../fields/field-label.ts';
import type { DocumentStore } from '../session/document-store.ts';
import { useEditor } from '../session/editor-context.ts';
import { titlesOf } from '../session/element-names.ts';
import { searchTextOf } from '../session/element-words.ts';
import { COLUMN_SETS, type Column, type ColumnSet, cellOf, isMultiline, setCells } from './text-cells.ts';

interface Filter {
  words: string;
  type: ElementType | null;
  /** Only elements that could have an alternative text, and have none. */
  lacksAlt: boolean;
}

/** Whether visitors see or hear an element that has no alternative text. View points are seen if they have a panorama. */
const lacksAlternative = (element: Element): boolean =>
  cellOf(element, 'config.alt') === '' &&
  !(element.config as { decorative?: boolean }).decorative &&
  (element.element !== 'view_point' || isPlace(element));

/** Ids of the listed elements. */
function idsOf(elements: readonly Element[], { words, type, lacksAlt }: Filter): number[] {
  const wanted = words.trim().toLowerCase();
  const isListed = (element: Element) =>
    (type === null || element.element === type) &&
    searchTextOf(element).includes(wanted) &&
    (!lacksAlt || lacksAlternative(element));
  return elements.filter(isListed).map(({ id }) => id);
}

const SETS: Record<ColumnSet, { label: string; tracks: string }> = {
  captions: { label: 'Captions', tracks: '1.4fr 1.4fr 1fr 0.7fr 2fr' },
  accessibility: { label: 'Accessibility', tracks: '1.2fr 2fr 2fr 2fr' },
};

const edit = (
  document: DocumentStore,
  elements: readonly Element[],
  columns: readonly Column[],
  ...[from, rows]: PasteOf
) => {
  const { commands, problems } = setCells(elements, columns, from, rows);
  const changed = commands.flatMap((command) => ('id' in command ? [findElement(elements, command.id)!] : []));
  document.run(commands, { label: `Texts of ${titlesOf(changed)}` });
  return problems;
};
type PasteOf = [from: CellPlace, rows: readonly (readonly string[])[]];

/** Names, captions and alternatives of all elements in a table. Cells can be pasted from a spreadsheet. */
export const TextsDialog = observer(({ onClose }: { onClose(): void }) => {
  const { document } = useEditor();
  const { elements } = document.room;
  const [set, setSet] = useState<ColumnSet>('captions');
  const columns: readonly Column[] = COLUMN_SETS[set];
  const [filter, setFilter] = useState<Filter>({ words: '', type: null, lacksAlt: false });
  // A row stays while its texts change.
  const [ids, setIds] = useState(() => idsOf(elements, filter));
  const count = elements.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows stay while their texts change.
  useEffect(() => setIds(idsOf(elements, filter)), [filter, count]);
  const rows = ids.flatMap((id) => findElement(elements, id) ?? []);
  const types = [...new Set(elements.map(({ element }) => element))].map((value) => ({
    value,
    label: say(descriptors[value].label),
  }));
  const change = (part: Partial<Filter>) => setFilter((before) => ({ ...before, ...part }));
  const onFocus = useTypedAhead((typed) => change({ words: filter.words + typed }));
  return (
    <Modal opened onClose={onClose} title="Texts" size={1200} centered>
      <Group mb="sm" align="end">
        <TextInput
          data-autofocus
          flex={1}
          aria-label="Search"
          placeholder="Search"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={filter.words}
          onFocus={onFocus}
          onChange={({ currentTarget }) => change({ words: currentTarget.value })}
        />
        <Select
          aria-label="Type"
          placeholder="All types"
          clearable
          data={types}
          value={filter.type}
          onChange={(type) => change({ type: type as ElementType | null })}
        />
        <SegmentedControl
          aria-label="Columns"
          data={Object.entries(SETS).map(([value, { label }]) => ({ value, label }))}
          value={set}
          onChange={(value) => setSet(value as ColumnSet)}
        />
        <Checkbox
          mb={8}
          label="Without alternative text"
          checked={filter.lacksAlt}
          onChange={({ currentTarget }) => change({ lacksAlt: currentTarget.checked })}
        />
      </Group>
      <CellTable
        key={set}
        label="Texts of elements"
        columns={columns.map(labelAt)}
        isMultiline={columns.map(isMultiline)}
        tracks={SETS[set].tracks}
        rows={rows.map((element) => {
          const TypeIcon = iconOf(element.element);
          return {
            id: element.id,
            lead: <TypeIcon size={16} role="img" aria-label={say(descriptors[element.element].label)} />,
            cells: columns.map((column) => cellOf(element, column)),
          };
        })}
        isReadOnly={document.isReadOnly}
        empty="No element matches."
        onSet={(...paste) => edit(document, rows, columns, ...paste)}
      />
    </Modal>
  );
});
