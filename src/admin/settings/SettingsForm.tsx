import { observer } from 'mobx-react-lite';
import type { z } from 'zod';
import type { Client } from '../../contract/client.ts';
import type { Organization } from '../../contract/entities.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { FormScreen, type FormScreenProps } from '../frame/FormScreen.tsx';
import { AreaStore } from '../stores/area-store.ts';
import { onePage } from '../stores/list-store.ts';

type Body = Parameters<Client['organizations']['update']>[0]['body'];
type Entry = Organization & { id: number };

/** Placeholder id: calls always address the user's own organization. */
const OWN = 1;

/** Store of settings: one entry, always of the user's own organization. */
export const createSettingsStore = <Entry extends { id: number; updated_at: string }, Draft extends object>({
  read,
  ...form
}: {
  read(): Promise<Entry>;
  update(draft: Draft, stamp: string): Promise<Entry>;
  draftOf(entry: Entry | null): Draft;
  schema?: z.ZodType;
}) =>
  new AreaStore<Entry, Entry, Draft>({
    ...form,
    list: async () => onePage([await read()]),
    read,
    create: read,
    update: (_, draft, stamp) => form.update(draft, stamp),
  });

/** Organization settings; each screen edits its own fields. */
export function createOrganizationStore<Draft extends object>(
  client: Client,
  form: {
    draftOf(organization: Organization | null): Draft;
    bodyOf(draft: Draft): Body;
    schema?: z.ZodType;
    onSaved?(organization: Organization): void;
  },
): AreaStore<Entry, Entry, Draft> {
  const own = (organization: Organization): Entry => ({ ...organization, id: OWN });
  return createSettingsStore<Entry, Draft>({
    ...form,
    read: async () => own(await client.organizations.read()),
    update: async (draft, updated_at) => {
      const organization = await client.organizations.update({ body: { ...form.bodyOf(draft), updated_at } });
      form.onSaved?.(organization);
      return own(organization);
    },
  });
}

const SETTINGS = { noun: 'settings', area: 'settings' } as const;

/** Form of settings: users who may only see them can't change anything. */
export const SettingsForm = observer(
  <Entry extends { id: number; updated_at: string }, Draft extends object>({
    title,
    ...form
  }: { title: string } & Pick<
    FormScreenProps<Entry, Draft>,
    'store' | 'after' | 'more' | 'hasFields' | 'children'
  >) => {
    const session = useSession();
    return <FormScreen {...form} of={SETTINGS} id={OWN} name={title} allowed={session.may('settings', 'view_any')} />;
  },
);
