import {
  Group,
  Kbd,
  Modal,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Switch,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { confirmation } from '../../ui/confirmation/confirmation-store.ts';
import { useTypedAhead } from '../../ui/typed-ahead.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { currentPreset, isMac, keysOf, keyText, PRESETS, type Preset, ROWS, setPreset } from '../keys/shortcuts.ts';
import { useEditor } from '../session/editor-context.ts';

const GROUPS = ['Editing', 'Element', 'View'] as const;

/** All shortcuts of the editor, and the choice of the preset. */
export const KeySheet = observer(({ opened, onClose }: { opened: boolean; onClose(): void }) => {
  const store = canvasOf(useEditor().document);
  const preset = currentPreset();
  const [words, setWords] = useState('');
  const onFocus = useTypedAhead((typed) => setWords((before) => before + typed));
  const wanted = words.trim().toLowerCase();
  const rows = ROWS.map(({ id, title, group }) => ({
    id,
    title,
    group,
    keys: keysOf(id, preset).map((key) => keyText(key, isMac)),
  })).filter(({ title, keys }) => `${title} ${keys.join(' ')}`.toLowerCase().includes(wanted));
  return (
    <Modal opened={opened} onClose={onClose} title="Keys" size="xl" centered>
      <Stack>
        <Group justify="space-between">
          <TextInput
            type="search"
            aria-label="Search keys"
            placeholder="Search"
            size="xs"
            data-autofocus
            leftSection={<IconSearch size={14} aria-hidden />}
            value={words}
            onFocus={onFocus}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          <SegmentedControl
            size="xs"
            aria-label="Keys of"
            data={Object.entries(PRESETS).map(([value, label]) => ({ value, label }))}
            value={preset}
            onChange={(value) => setPreset(value as Preset)}
          />
        </Group>
        {rows.length === 0 && <Text c="dimmed">Nothing matches. Try other words.</Text>}
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {GROUPS.filter((name) => rows.some(({ group }) => group === name)).map((name) => (
            <Stack key={name} gap="xs">
              <Title order={3} size="h5">
                {name}
              </Title>
              <Table withRowBorders={false} verticalSpacing={4} horizontalSpacing={4} aria-label={name}>
                <Table.Tbody>
                  {rows
                    .filter(({ group }) => group === name)
                    .map(({ id, title, keys }) => (
                      <Table.Tr key={id}>
                        <Table.Th w={110} fw={400}>
                          <Group gap={4}>
                            {keys.map((key) => (
                              <Kbd key={key} size="xs">
                                {key}
                              </Kbd>
                            ))}
                          </Group>
                        </Table.Th>
                        <Table.Td>{title}</Table.Td>
                      </Table.Tr>
                    ))}
                </Table.Tbody>
              </Table>
            </Stack>
          ))}
        </SimpleGrid>
        <Switch
          size="sm"
          label="Ask before copying, hiding and showing"
          checked={confirmation.asksOptional}
          onChange={(event) => confirmation.setAsksOptional(event.currentTarget.checked)}
        />
        <Switch
          size="sm"
          label="The wheel over a handle moves, turns or sizes only while Alt is held"
          checked={store.wheelNeedsAlt}
          onChange={(event) => store.setWheelNeedsAlt(event.currentTarget.checked)}
        />
      </Stack>
    </Modal>
  );
});
