import { Modal, SimpleGrid, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { descriptors, type ElementType } from '../../../engine/document/element.ts';
import { childrenOf } from '../../../engine/document/tree.ts';
import { iconOf } from '../elements/forms.ts';
import { type Editor, useEditor } from '../session/editor-context.ts';
import classes from './add-element.module.css';
import { newElement } from './new-element.ts';

const TYPES = Object.keys(descriptors) as ElementType[];

/** Adds an element and selects it: at the top in front of the camera, in a group at its middle. */
function addElement(editor: Editor, type: ElementType, parent: number | null): void {
  const { document, selection, ids, place } = editor;
  const [id] = ids.take() ?? [];
  if (id === undefined) return;
  const made = newElement(type, id);
  const { element, rest } = parent === null ? place(made) : { element: made, rest: undefined };
  const index = childrenOf(document.room.elements, parent)?.length ?? 0;
  const step = { label: `Add ${descriptors[type].label}`, merge: `add ${id}` };
  document.run({ type: 'element.add', element: { ...element, parent_element_id: parent }, parent, index }, step);
  rest?.(step);
  selection.select(element.id);
}

function Choices({ parent, onClose }: { parent: number | null; onClose(): void }) {
  const editor = useEditor();
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  const types = TYPES.filter((type) =>
    `${descriptors[type].label} ${descriptors[type].description}`.toLowerCase().includes(wanted),
  );
  const add = (type: ElementType | undefined) => {
    if (!type) return;
    onClose();
    addElement(editor, type, parent);
  };
  return (
    <Stack>
      <TextInput
        type="search"
        aria-label="Search kinds of element"
        placeholder="Search"
        leftSection={<IconSearch size={16} aria-hidden />}
        data-autofocus
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && add(types[0])}
      />
      {types.length === 0 && <Text c="dimmed">Nothing matches. Try other words.</Text>}
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="xs">
        {types.map((type) => {
          const TypeIcon = iconOf(type);
          return (
            <UnstyledButton key={type} className={classes.choice} onClick={() => add(type)}>
              <TypeIcon size={32} stroke={1.4} aria-hidden />
              <Text span fw={600} size="sm">
                {descriptors[type].label}
              </Text>
              <Text span size="xs" c="dimmed">
                {descriptors[type].description}
              </Text>
            </UnstyledButton>
          );
        })}
      </SimpleGrid>
    </Stack>
  );
}

/**
 * Chooses what kind of element is added.
 * @param parent group that it is added to, null for the top; undefined while nothing is added
 */
export function AddElementDialog({ parent, onClose }: { parent: number | null | undefined; onClose(): void }) {
  return (
    <Modal opened={parent !== undefined} onClose={onClose} title="Add an item" size="lg" centered>
      {parent !== undefined && <Choices parent={parent} onClose={onClose} />}
    </Modal>
  );
}
