import '@mantine/spotlight/styles.css';
import { Kbd } from '@mantine/core';
import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { useTypedAhead } from '../../ui/typed-ahead.ts';
import { iconOf } from '../elements/forms.ts';
import type { Actions } from '../keys/actions.ts';
import { ROWS, usualKey } from '../keys/shortcuts.ts';
import { useEditor } from '../session/editor-context.ts';
import { titleOf } from '../session/element-names.ts';

/** Maximum number of elements in the results. */
const MAX_FOUND = 8;

const [store, spotlight] = createSpotlight();

/** Command palette: finds actions by name, and elements to select. */
export const ActionPalette = observer(({ actions, onClose }: { actions: Actions; onClose(): void }) => {
  const { document, selection } = useEditor();
  const [words, setWords] = useState('');
  useEffect(() => spotlight.open(), []);
  const onFocus = useTypedAhead((typed) => setWords((before) => before + typed));
  const wanted = words.trim().toLowerCase();
  const has = (text: string) => text.toLowerCase().includes(wanted);
  const rows = ROWS.filter(({ id, title }) => {
    const action = id === 'palette' ? undefined : actions[id];
    return action && (action.isPossible?.() ?? true) && has(title);
  });
  const found = wanted === '' ? [] : document.room.elements.filter((element) => has(titleOf(element)));
  const groups: SpotlightActionGroupData[] = [
    {
      group: 'Actions',
      actions: rows.map(({ id, title }) => ({
        id,
        label: title,
        rightSection: usualKey(id) && <Kbd size="xs">{usualKey(id)}</Kbd>,
        onClick: () => actions[id]!.run(),
      })),
    },
    {
      group: 'Elements',
      actions: found.slice(0, MAX_FOUND).map((element) => {
        const TypeIcon = iconOf(element.element);
        return {
          id: `element ${element.id}`,
          label: titleOf(element),
          leftSection: <TypeIcon size={16} aria-hidden />,
          onClick: () => selection.select(element.id),
        };
      }),
    },
  ].filter((group) => group.actions.length > 0);
  return (
    <Spotlight
      store={store}
      attributes={{ content: { 'aria-label': 'Do anything' } }}
      actions={groups}
      shortcut={null}
      query={words}
      onQueryChange={setWords}
      filter={(_, all) => all}
      nothingFound="Nothing matches"
      scrollable
      maxHeight={420}
      overlayProps={{ blur: 0, backgroundOpacity: 0.3 }}
      onSpotlightClose={onClose}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: 'Do anything, or select an element',
        onFocus,
        'aria-label': 'Do anything, or select an element',
      }}
    />
  );
});
