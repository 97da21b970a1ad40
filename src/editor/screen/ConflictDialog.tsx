import { Button, Group, Modal, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { labelAt } from '../fields/field-label.ts';
import { EditingControls } from '../layout/EditingControls.tsx';
import type { Conflict, FieldConflict, Side } from '../saving/conflict.ts';
import { useEditor } from '../session/editor-context.ts';

/** Maximum characters shown of a value. */
const MAX_VALUE_LENGTH = 80;

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

function Changed({ conflict }: { conflict: Conflict & { kind: 'changed' } }) {
  const { saving } = useEditor();
  const { fields, who, name, isOwn } = conflict;
  const words = SIDES[isOwn ? 'own' : 'others'];
  const isNarrow = useMediaQuery('(max-width: 600px)');
  const [sides, setSides] = useState<Record<string, Side>>({});
  const sideOf = (field: FieldConflict) => sides[field.path] ?? 'mine';
  return (
    <Stack>
      <Text>
        {isOwn
          ? `You changed ${name} here and in another window. Nothing is lost; choose what is kept.`
          : `${who} changed ${name} while you did. Nothing of yours is lost; choose what is kept.`}
      </Text>
      <Table aria-label="What was changed" withTableBorder>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>{words.theirs}</Table.Th>
            <Table.Th>{words.mine}</Table.Th>
            <Table.Th>Keep</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((field) => (
            <Table.Tr key={field.path}>
              <Table.Td>{labelAt(field.path)}</Table.Td>
              <Table.Td>{valueText(field.theirs)}</Table.Td>
              <Table.Td>{valueText(field.mine)}</Table.Td>
              <Table.Td>
                <SegmentedControl
                  size="xs"
                  orientation={isNarrow ? 'vertical' : 'horizontal'}
                  aria-label={`Keep of ${labelAt(field.path)}`}
                  data={[
                    { value: 'theirs', label: words.theirs },
                    { value: 'mine', label: words.mine },
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
        <Button variant="default" onClick={() => void saving.conflicts.settle(() => 'theirs')}>
          {words.takeTheirs}
        </Button>
        <Button variant="default" onClick={() => void saving.conflicts.settle(() => 'mine')}>
          {words.keepMine}
        </Button>
        <Button onClick={() => void saving.conflicts.settle(sideOf)}>Save these choices</Button>
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
        <Button variant="default" onClick={() => void saving.conflicts.settleRefused(true)}>
          Undo the change
        </Button>
        <Button onClick={() => void saving.conflicts.settleRefused(false)}>Try again</Button>
      </Group>
    </Stack>
  );
}

function titleOf(conflict: Conflict): string {
  if (conflict.kind === 'refused') return 'This could not be saved';
  return conflict.isOwn ? 'You changed this in another window' : 'Somebody else changed this, too';
}

const SIDES = {
  others: { theirs: 'Theirs', mine: 'Mine', takeTheirs: 'Take theirs', keepMine: 'Keep mine' },
  own: {
    theirs: 'Other window',
    mine: 'This window',
    takeTheirs: 'Take the other window’s',
    keepMine: 'Keep this window’s',
  },
} as const;

/** Asks the user to resolve conflicts. Closing the dialog postpones the decision. */
export const ConflictDialog = observer(() => {
  const { saving } = useEditor();
  const { next: conflict, isAsked } = saving.conflicts;
  return (
    <Modal
      opened={isAsked && conflict !== null}
      onClose={() => saving.conflicts.putOff()}
      title={conflict ? titleOf(conflict) : ''}
      size="lg"
      centered
      closeButtonProps={{ 'aria-label': 'Decide later' }}
    >
      <EditingControls>
        {conflict?.kind === 'changed' && <Changed conflict={conflict} />}
        {conflict?.kind === 'refused' && <Refused conflict={conflict} />}
      </EditingControls>
    </Modal>
  );
});
