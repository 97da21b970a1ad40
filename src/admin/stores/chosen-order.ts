import type { ListQuery } from './list-store.ts';

/**
 * Sort order from the URL, which may hold anything; undefined for the default.
 * @param orders valid sort keys
 */
export const chosenOrder = <Order extends string>(
  orders: readonly Order[],
  filters: ListQuery['filters'],
): Order | undefined => orders.find((name) => name === filters?.sort);
