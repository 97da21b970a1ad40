import type { Handlers } from '../../core/http/handler.ts';
import { assemblePanorama, importTour } from './import-service.ts';
import { mergeTours } from './merge-service.ts';
import { createTour } from './service.ts';

export const tours: Handlers<'tours'> = {
  create: (context, { body }) => createTour(context, body),
  merge: (context, { body }) => mergeTours(context, body),
  importTour: (context, { body }) => importTour(context, body),
  assemblePanorama: (context, { body, file }) => assemblePanorama(context, body, file),
};
