import { Kbd, Modal, SimpleGrid, Stack, Table, Title } from '@mantine/core';

const SHEET: readonly { title: string; keys: readonly (readonly [string, string])[] }[] = [
  {
    title: 'Editing',
    keys: [
      ['Ctrl Z', 'Undo'],
      ['Ctrl Shift Z', 'Redo'],
      ['Ctrl C', 'Copy the selected element'],
      ['Ctrl V', 'Paste, also into another room'],
      ['Delete', 'Remove the selected element'],
      ['Ctrl S', 'Save the edit window, or the room settings'],
      ['F2', 'Rename the selected element'],
      ['Esc', 'Deselect; what was typed is saved'],
      ['Shift click', 'Select one more, or one less; in the tree, all between'],
      ['Shift drag, B', 'Select by drawing a box'],
      ['Ctrl A', 'Select all'],
      ['Ctrl I', 'Invert the selection'],
      ['Ctrl Shift A', 'Select the same type'],
      ['Ctrl G', 'Group'],
      ['Ctrl Shift G', 'Ungroup'],
    ],
  },
  {
    title: 'Element',
    keys: [
      ['W', 'Move'],
      ['E', 'Scale'],
      ['R', 'Rotate'],
      ['Q', 'Local or world axes'],
      ['X Y Z', 'Switch axes'],
      ['+ −', 'Larger or smaller handles'],
      ['Space', 'Show or hide the handles'],
      ['Arrows', 'Move, rotate or scale by a step'],
      ['S', 'Snap on or off'],
      ['Shift', 'Snap to 100 units'],
    ],
  },
  {
    title: 'View',
    keys: [
      ['F', 'Frame the selection'],
      ['1 3 7', 'Look along an axis'],
      ['G', 'Grid'],
      ['Double click', 'Enter a group'],
      ['Tab', 'Hide panels, with the canvas focused'],
      ['V', 'Revisions'],
      ['C', 'Check'],
      ['?', 'This sheet'],
    ],
  },
];

/** Every key of the editor. */
export function KeySheet({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keys" size="xl" centered>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {SHEET.map(({ title, keys }) => (
          <Stack key={title} gap="xs">
            <Title order={3} size="h5">
              {title}
            </Title>
            <Table withRowBorders={false} verticalSpacing={4} horizontalSpacing={4} aria-label={title}>
              <Table.Tbody>
                {keys.map(([key, what]) => (
                  <Table.Tr key={key}>
                    <Table.Th w={110} fw={400}>
                      <Kbd size="xs">{key}</Kbd>
                    </Table.Th>
                    <Table.Td>{what}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Stack>
        ))}
      </SimpleGrid>
    </Modal>
  );
}
