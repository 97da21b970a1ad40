import type { Choice } from './EntrySelect.tsx';
import type { SessionStore } from './session/session-store.ts';

/** Templates whose names match; empty if the user may not see templates. */
export async function findTemplates(session: SessionStore, words: string): Promise<Choice[]> {
  if (!session.may('templates', 'view_any')) return [];
  const { data } = await session.client.templates.list({ query: { ...(words && { search: words }), per_page: 100 } });
  return data.map(({ id, name, poster_url }) => ({ id, name, poster: poster_url }));
}
