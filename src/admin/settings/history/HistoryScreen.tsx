import { Button, Chip, Group, Modal, Table, Text } from '@mantine/core';
import { IconListDetails, IconRestore } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { AREA_OF_CHANGED, CHANGED_ENTITIES, type Change, isTranslationChange } from '../../../contract/entities.ts';
import { confirm } from '../../../ui/confirmation/confirmation-store.ts';
import { inSentence } from '../../../ui/language/say.ts';
import { momentText } from '../../../ui/moment-text.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { FilterSelect, useAddressFilter } from '../../frame/FilterSelect.tsx';
import { ListRow, RowAction } from '../../frame/List.tsx';
import { ListScreen } from '../../frame/ListScreen.tsx';
import type { Resource } from '../../frame/resource.ts';
import { Quiet } from '../../frame/text.tsx';
import { ListStore } from '../../stores/list-store.ts';
import { ChangePictures } from './ChangePictures.tsx';
import { changeSentence, ENTITY_NAMES, fieldChanges } from './change-words.ts';

const HISTORY: Resource<Change> = {
  title: 'History',
  noun: 'change',
  nouns: 'changes',
  area: 'settings',
  path: '/admin/settings/history',
  empty: 'No changes yet.',
  nameOf: changeSentence,
  filters: ['entity', 'removed'],
};

/** Changed fields of an entry. */
function Details({ change, onClose }: { change: Change; onClose(): void }) {
  const fields = fieldChanges(change);
  return (
    <Modal opened onClose={onClose} size="xl" title={changeSentence(change)}>
      {(change.entity === 'room' || change.entity === 'element') && <ChangePictures change={change} />}
      {fields.length === 0 ? (
        <Text>No fields were recorded for this change.</Text>
      ) : (
        <Table.ScrollContainer minWidth={340}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Field</Table.Th>
                <Table.Th>Before</Table.Th>
                <Table.Th>After</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {fields.map(({ field, before, after }) => (
                <Table.Tr key={field}>
                  <Table.Th scope="row">{field}</Table.Th>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{before}</Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{after}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Modal>
  );
}

/** Who changed what, with restore. */
export const HistoryScreen = observer(() => {
  const session = useSession();
  const { history } = session.client;
  const [store] = useState(
    () =>
      new ListStore<Change>({
        list: ({ search, page, filters = {} }) =>
          history.list({
            query: {
              search,
              page,
              entity: CHANGED_ENTITIES.find((name) => name === filters.entity),
              removed: filters.removed === '1' ? '1' : '0',
            },
          }),
      }),
  );
  const [shown, setShown] = useState<Change | null>(null);
  const [params, set] = useAddressFilter();
  const mayRestore = session.may('rooms', 'create');
  const restore = async ({ id, entity, name }: Change) => {
    const yes = await confirm({
      title: `Restore “${name}”?`,
      text: `The ${inSentence(ENTITY_NAMES[entity])} will be restored to its state before removal.`,
      action: 'Restore',
    });
    if (!yes) return;
    await history.restore({ params: { id } });
    await store.load();
  };
  const mayUndo = ({ entity }: Change) =>
    session.may(AREA_OF_CHANGED[entity], entity === 'media' ? 'create' : 'update');
  const undo = async ({ id }: Change) => {
    await history.restore({ params: { id } });
    await store.load();
  };
  return (
    <>
      <ListScreen
        of={HISTORY}
        store={store}
        filters={
          <Group>
            <FilterSelect
              name="entity"
              aria-label="Kind"
              placeholder="Everything"
              data={CHANGED_ENTITIES.map((value) => ({ value, label: ENTITY_NAMES[value] }))}
            />
            <Chip checked={params.get('removed') === '1'} onChange={(checked) => set('removed', checked ? '1' : null)}>
              Deleted, restorable
            </Chip>
          </Group>
        }
        row={(change) => (
          <ListRow
            key={change.id}
            wraps
            name={changeSentence(change)}
            details={<Quiet>{momentText(change.at)}</Quiet>}
            actions={
              <>
                {change.is_restorable && mayRestore && (
                  <Button
                    size="xs"
                    variant="light"
                    mr="xs"
                    leftSection={<IconRestore size={16} aria-hidden />}
                    onClick={() => void restore(change).catch(showProblem)}
                  >
                    Restore
                  </Button>
                )}
                {isTranslationChange(change) && mayUndo(change) && (
                  <Button size="xs" variant="light" mr="xs" onClick={() => void undo(change).catch(showProblem)}>
                    Undo
                  </Button>
                )}
                <RowAction
                  label={`Details: ${change.name}`}
                  icon={<IconListDetails size={18} />}
                  onClick={() => setShown(change)}
                />
              </>
            }
          />
        )}
      />
      {shown && <Details change={shown} onClose={() => setShown(null)} />}
    </>
  );
});
