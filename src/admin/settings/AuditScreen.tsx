import { Button, Group, Modal, Table, TextInput } from '@mantine/core';
import { IconDownload, IconListDetails } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { AUDIT_EVENT_NAMES, AUDIT_EVENTS, type AuditEvent } from '../../contract/entities.ts';
import { momentText } from '../../ui/moment-text.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { FilterSelect, useAddressFilter } from '../frame/FilterSelect.tsx';
import { ListRow, RowAction } from '../frame/List.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import type { Resource } from '../frame/resource.ts';
import { saveCsv } from '../frame/save-csv.ts';
import { ListStore } from '../stores/list-store.ts';
import { fieldWords, listOf } from './history/change-words.ts';

/** Log filters, as in the URL. */
interface AuditFilters {
  search?: string;
  event?: string;
  /** Days such as 2026-03-10 in local time, inclusive. */
  from?: string;
  till?: string;
}

/** Start of a day in local time, plus days; undefined for an invalid day. */
function beginOf(day: string | undefined, later = 0): string | undefined {
  if (!day || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + later);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const queryOf = ({ search, event, from, till }: AuditFilters) => ({
  search: search || undefined,
  event: AUDIT_EVENT_NAMES.find((name) => name === event),
  from: beginOf(from),
  till: beginOf(till, 1),
});

/** What happened; changed settings are named. */
function titleOf({ event, details: { fields } }: AuditEvent): string {
  if (event !== 'settings_changed' || !Array.isArray(fields)) return AUDIT_EVENTS[event];
  return `Changed ${listOf(fields.map((field) => fieldWords(String(field))))}`;
}

const AUDIT_LOG: Resource<AuditEvent> = {
  title: 'Audit log',
  noun: 'event',
  nouns: 'events',
  area: 'settings',
  path: '/admin/settings/audit',
  empty: 'No events yet.',
  nameOf: (event) => titleOf(event) + (event.subject ? `: ${event.subject}` : ''),
  filters: ['event', 'from', 'till'],
};

/** Log filters, kept in the URL, and export. */
function Filters({ store }: { store: ListStore<AuditEvent> }) {
  const { audit } = useSession().client;
  const [params, set] = useAddressFilter();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    await saveCsv('audit-log', audit.export({ query: queryOf(Object.fromEntries(params)) }));
    await store.load();
    setBusy(false);
  };
  return (
    <Group align="end">
      <FilterSelect
        name="event"
        label="Event"
        placeholder="Every event"
        searchable
        data={AUDIT_EVENT_NAMES.map((value) => ({ value, label: AUDIT_EVENTS[value] }))}
      />
      <TextInput
        type="date"
        label="From"
        value={params.get('from') ?? ''}
        onChange={(event) => set('from', event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label="Until"
        value={params.get('till') ?? ''}
        onChange={(event) => set('till', event.currentTarget.value)}
      />
      <Button
        variant="default"
        loading={isBusy}
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => void save()}
      >
        Export
      </Button>
    </Group>
  );
}

/** Formats a detail value. */
const auditWordsOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);

/** All details of an entry. */
function Details({ event, onClose }: { event: AuditEvent; onClose(): void }) {
  const { user, api_key, address, device, subject, details } = event;
  const facts: [string, string][] = [
    ['When', momentText(event.at)],
    ['Who', user?.name ?? 'Nobody signed in'],
    ['API key', api_key],
    ['About', subject],
    ['Address', address],
    ['Device', device],
    ...Object.entries(details).map(([name, value]): [string, string] => [
      name.replaceAll('_', ' '),
      auditWordsOf(value),
    ]),
  ];
  return (
    <Modal opened onClose={onClose} size="lg" title={titleOf(event)}>
      <Table>
        <Table.Tbody>
          {facts
            .filter(([, value]) => value !== '')
            .map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" w={120}>
                  {name}
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}

/** Sign-ins, failed sign-ins, and changes to rights, keys and outgoing data. */
export const AuditScreen = observer(() => {
  const { audit } = useSession().client;
  const [store] = useState(
    () =>
      new ListStore<AuditEvent>({
        list: ({ search, page, filters }) => audit.list({ query: { page, ...queryOf({ search, ...filters }) } }),
      }),
  );
  const [shown, setShown] = useState<AuditEvent | null>(null);
  return (
    <>
      <ListScreen
        of={AUDIT_LOG}
        store={store}
        filters={<Filters store={store} />}
        row={(event) => (
          <ListRow
            key={event.id}
            name={AUDIT_LOG.nameOf(event)}
            cells={[event.user?.name, event.address, momentText(event.at)]}
            actions={
              <RowAction
                label={`Details: ${AUDIT_EVENTS[event.event]}`}
                icon={<IconListDetails size={18} />}
                onClick={() => setShown(event)}
              />
            }
          />
        )}
      />
      {shown && <Details event={shown} onClose={() => setShown(null)} />}
    </>
  );
});
