import type { Handlers } from '../../core/http/handler.ts';
import { scormPackage } from './scorm-package.ts';

export const learning: Pick<Handlers<'endpoints'>, 'scormPackage'> = {
  scormPackage: (context, { params, query }) => scormPackage(context, params.id, query),
};
