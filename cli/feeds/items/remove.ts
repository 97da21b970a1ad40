import { itemCommand } from './change-items.ts';

export const removeItems = itemCommand({
  name: 'remove',
  description: 'remove items; they are in the bin for 30 days',
  done: 'removed',
  ofRemoved: false,
  change: (client, ids) => client.feeds.removeItems({ body: { ids } }),
});
