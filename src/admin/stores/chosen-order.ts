import type { ListQuery } from './list-store.ts';

/**
 * The order that a list is asked for, from the address, where anything can stand; undefined for the usual one.
 * @param orders those that the list has
 */
export const chosenOrder = <Order extends string>(
  orders: readonly Order[],
  filters: ListQuery['filters'],
): Order | undefined => orders.find((name) => name === filters?.sort);
