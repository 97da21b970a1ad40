import { IconEye, IconEyeOff } from '@tabler/icons-react';
import type { Endpoint } from '../../contract/entities.ts';
import type { SessionStore } from '../../ui/session/session-store.ts';
import { type Bulk, removesMany } from '../frame/BulkBar.tsx';
import type { StructuresStore } from './structures-store.ts';

/** What somebody can do with many structures at once; undefined where that is nothing. */
export function structureBulk(session: SessionStore, store: StructuresStore): Bulk<Endpoint> | undefined {
  const mayUpdate = session.may('endpoints', 'update');
  const mayDelete = session.may('endpoints', 'delete');
  if (!mayUpdate && !mayDelete) return undefined;
  const shows = [
    {
      label: 'Hide',
      icon: <IconEyeOff size={16} aria-hidden />,
      run: (ids: readonly number[]) => store.setVisible(ids, false),
    },
    {
      label: 'Show',
      icon: <IconEye size={16} aria-hidden />,
      run: (ids: readonly number[]) => store.setVisible(ids, true),
    },
  ];
  const removes = {
    ...removesMany((ids) => store.removeMany(ids)),
    question: 'The structures below them are removed, too. They stay in the bin for 30 days.',
  };
  return {
    nameOf: ({ name }) => name,
    actions: [...(mayUpdate ? shows : []), ...(mayDelete ? [removes] : [])],
  };
}
