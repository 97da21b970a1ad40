import type { Client } from '../../src/contract/client.ts';
import type { Fixture as ChangingFixture, Request, Said } from '../server/features/history/changing-requests.ts';
import type { Fixture } from './call-requests.ts';

declare module './call-requests.ts' {
  interface Fixture {
    label: number;
  }
}

declare module '../server/features/history/changing-requests.ts' {
  interface Fixture {
    label: number;
  }
}

/** Adds the label that requests name. @returns its id */
export const furnishLabel = async ({ labels }: Client, name = 'Urgent'): Promise<number> =>
  (await labels.create({ body: { name, color: '#ff0000' } })).id;

/** A valid request to each call. */
export const labelRequests = {
  'labels.list': () => ({}),
  'labels.read': ({ label }: Fixture) => ({ params: { id: label } }),
  'labels.create': () => ({ body: { name: 'New', color: '#00ff00' } }),
  'labels.update': ({ label }: Fixture) => ({ params: { id: label }, body: { name: 'Changed' } }),
  'labels.remove': ({ label }: Fixture) => ({ params: { id: label } }),
};

/** A valid and an invalid request to each call that changes something, and the change record. */
export const changingLabels: Record<
  string,
  (fixture: ChangingFixture) => { right: Request; wrong: Request; said: Said }
> = {
  'labels.create': () => ({
    right: { body: { name: 'New', color: '#00ff00' } },
    wrong: { body: { name: 'New', color: 'green' } },
    said: { action: 'create', entity: 'label', before: null, after: { name: 'New' } },
  }),
  'labels.update': ({ label }) => ({
    right: { params: { id: label }, body: { name: 'Other' } },
    wrong: { params: { id: label }, body: { color: 'green' } },
    said: { action: 'update', entity: 'label', before: { name: 'Urgent' }, after: { name: 'Other' } },
  }),
  'labels.remove': ({ label }) => ({
    right: { params: { id: label } },
    wrong: { params: { id: 999_999 } },
    said: { action: 'delete', entity: 'label', before: { name: 'Urgent' }, after: null },
  }),
};
