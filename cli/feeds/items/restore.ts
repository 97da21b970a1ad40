import { itemCommand } from './change-items.ts';

export const restoreItems = itemCommand({
  name: 'restore',
  description: 'restore removed items as they were',
  done: 'restored',
  ofRemoved: true,
  change: (client, ids) => client.feeds.restoreItems({ body: { ids } }),
});
