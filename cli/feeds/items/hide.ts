import { itemCommand } from './change-items.ts';

export const hideItems = itemCommand({
  name: 'hide',
  description: 'hide items from visitors',
  done: 'hidden',
  ofRemoved: false,
  change: (client, ids) => client.feeds.updateItems({ body: { ids, state: 'hidden' } }),
});
