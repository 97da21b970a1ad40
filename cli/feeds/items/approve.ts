import { itemCommand } from './change-items.ts';

export const approveItems = itemCommand({
  name: 'approve',
  description: 'show items to visitors: those that wait for approval, or were hidden',
  done: 'shown',
  ofRemoved: false,
  change: (client, ids) => client.feeds.updateItems({ body: { ids, state: 'shown' } }),
});
