import type { z } from 'zod';
import type { Client } from '../../contract/client.ts';
import type { Organization } from '../../contract/entities.ts';
import { AreaStore } from '../stores/area-store.ts';

type Body = Parameters<Client['organizations']['update']>[0]['body'];
type Entry = Organization & { id: number };

/** Placeholder id: calls always address the user's own organization. */
export const OWN = 1;

/** Organization fields edited on one screen. */
interface OrganizationForm<Draft extends object> {
  draftOf(organization: Organization | null): Draft;
  bodyOf(draft: Draft): Body;
  schema?: z.ZodType;
  onSaved?(organization: Organization): void;
}

/** Organization settings; each screen edits its own fields. */
export function createOrganizationStore<Draft extends object>(
  client: Client,
  { draftOf, bodyOf, schema, onSaved }: OrganizationForm<Draft>,
): AreaStore<Entry, Entry, Draft> {
  const own = (organization: Organization): Entry => ({ ...organization, id: OWN });
  const read = async () => own(await client.organizations.read());
  return new AreaStore<Entry, Entry, Draft>({
    list: async () => ({ data: [await read()], meta: { total: 1, page: 1, last_page: 1 } }),
    read,
    create: read,
    update: async (_, draft, updated_at) => {
      const organization = await client.organizations.update({ body: { ...bodyOf(draft), updated_at } });
      onSaved?.(organization);
      return own(organization);
    },
    remove: read,
    draftOf,
    schema,
  });
}
