import { Button, Group, Modal, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { labelOf } from '../../../engine/document/field-labels.ts';
import type { Conflict, FieldConflict, Side } from '../saving/conflict.ts';
import { useEditor } from '../session/editor-context.ts';

/** Most signs of a value that are shown. */
const MAX_VALUE_LENGTH = 80;

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

function Changed({ conflict }: { conflict: Conflict & { kind: 'changed' } }) {
  const { saving } = useEditor();
  const { fields, who, name } = conflict;
  const [sides, setSides] = useState<Record<string, Side>>({});
  const sideOf = (field: FieldConflict) => sides[field.path] ?? 'mine';
  return (
    <Stack>
      <Text>
        {who} changed {name} while you did. Nothing of yours is lost; choose what is kept.
      </Text>
      <Table aria-label="What was changed" withTableBorder>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>Theirs</Table.Th>
            <Table.Th>Mine</Table.Th>
            <Table.Th>Keep</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((field) => (
            <Table.Tr key={field.path}>
              <Table.Td>{labelOf(field.path)}</Table.Td>
              <Table.Td>{valueText(field.theirs)}</Table.Td>
              <Table.Td>{valueText(field.mine)}</Table.Td>
              <Table.Td>
                <SegmentedControl
                  size="xs"
                  aria-label={`Keep of ${labelOf(field.path)}`}
                  data={[
                    { value: 'theirs', label: 'Theirs' },
                    { value: 'mine', label: 'Mine' },
                  ]}
                  value={sideOf(field)}
                  onChange={(side) => setSides({ ...sides, [field.path]: side as Side })}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => void saving.settle(() => 'theirs')}>
          Take theirs
        </Button>
        <Button variant="default" onClick={() => void saving.settle(() => 'mine')}>
          Keep mine
        </Button>
        <Button onClick={() => void saving.settle(sideOf)}>Save these choices</Button>
      </Group>
    </Stack>
  );
}

function Refused({ conflict }: { conflict: Conflict & { kind: 'refused' } }) {
  const { saving } = useEditor();
  return (
    <Stack>
      <Text>
        A change of {conflict.name} could not be saved: {conflict.text}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={() => void saving.settleRefused(true)}>
          Undo the change
        </Button>
        <Button onClick={() => void saving.settleRefused(false)}>Try again</Button>
      </Group>
    </Stack>
  );
}

const TITLES = {
  changed: 'Somebody else changed this, too',
  refused: 'This could not be saved',
} as const;

/** Asks what a person has to decide, when they want to; until then it waits, and so it does when they look away. */
export const ConflictDialog = observer(() => {
  const { saving } = useEditor();
  const { conflict, isAsked } = saving;
  return (
    <Modal
      opened={isAsked && conflict !== null}
      onClose={() => saving.putOff()}
      title={conflict ? TITLES[conflict.kind] : ''}
      size="lg"
      centered
      closeButtonProps={{ 'aria-label': 'Decide later' }}
    >
      {conflict?.kind === 'changed' && <Changed conflict={conflict} />}
      {conflict?.kind === 'refused' && <Refused conflict={conflict} />}
    </Modal>
  );
});
