import type { Handlers } from '../../core/http/handler.ts';
import { hangWorks } from './hang-works.ts';
import { readSource } from './read-source.ts';
import { storeWorks } from './store-works.ts';

export const iiif: Handlers<'iiif'> = {
  read: (context, { body }) => readSource(context, body),
  store: (context, { body }) => storeWorks(context, body.works),
  hang: (context, { body }) => hangWorks(context, body),
};
