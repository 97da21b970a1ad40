import type { Client } from '../../contract/client.ts';

/** Name of the person who last changed a thing; "Somebody else" for whoever may not read the change log. */
export async function whoChanged(client: Client, entity: 'room' | 'element', id: number): Promise<string> {
  try {
    const { data } = await client.history.list({ query: { entity, entity_id: id, per_page: 1 } });
    return data[0]?.user?.name ?? 'Somebody else';
  } catch {
    return 'Somebody else';
  }
}
