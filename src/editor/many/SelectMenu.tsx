import { Button, Menu } from '@mantine/core';
import { IconBoxMultiple } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { canvasOf } from '../canvas/canvas-store.ts';
import { useEditor } from '../session/editor-context.ts';
import { groupSelected, invertSelection, selectAll, selectSameType, ungroupSelected } from './many-actions.ts';

/** Ways to select many, and to put them together. */
export const SelectMenu = observer(() => {
  const editor = useEditor();
  const { selection, document } = editor;
  const store = canvasOf(document);
  const { isReadOnly } = document;
  const isNone = selection.ids.length === 0;
  const holdsGroup = selection.elements.some(({ element }) => element === 'group');
  const items: readonly { label: string; keys: string; isDisabled?: boolean; act(): void }[] = [
    { label: 'Select all', keys: 'Ctrl A', act: () => selectAll(editor) },
    { label: 'Invert the selection', keys: 'Ctrl I', act: () => invertSelection(editor) },
    { label: 'Select the same type', keys: 'Ctrl Shift A', isDisabled: isNone, act: () => selectSameType(editor) },
    { label: 'Draw a box', keys: 'B', act: () => store.tools?.armBox(true) },
    { label: 'Group', keys: 'Ctrl G', isDisabled: isNone || isReadOnly, act: () => void groupSelected(editor) },
    {
      label: 'Ungroup',
      keys: 'Ctrl Shift G',
      isDisabled: !holdsGroup || isReadOnly,
      act: () => ungroupSelected(editor),
    },
  ];
  return (
    <Menu position="top-start" withinPortal>
      <Menu.Target>
        <Button
          size="xs"
          variant={store.isBoxArmed ? 'filled' : 'default'}
          leftSection={<IconBoxMultiple size={16} aria-hidden />}
        >
          Select
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ label, keys, isDisabled, act }) => (
          <Menu.Item key={label} disabled={isDisabled} rightSection={<kbd>{keys}</kbd>} onClick={act}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
