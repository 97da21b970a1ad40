import { type AddCommand, group } from './command.ts';
import { completion } from './completion.ts';
import { endpoints } from './endpoints/endpoints.ts';
import { feeds } from './feeds/feeds.ts';
import { jobs } from './imports/jobs.ts';
import { undo } from './imports/undo.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { machineCommands } from './machine/machine-commands.ts';
import { mailings } from './mailings/mailings.ts';
import { exportMedia } from './media/export.ts';
import { importMedia } from './media/import.ts';
import { listMedia } from './media/list.ts';
import { removeMedia } from './media/remove.ts';
import { rooms } from './rooms/rooms.ts';
import { lintSite } from './site/lint.ts';
import { statistics } from './statistics/statistics.ts';
import { templates } from './templates/templates.ts';
import { exportTokens } from './tokens/export.ts';
import { importTokens } from './tokens/import.ts';
import { listTokens } from './tokens/list.ts';
import { removeTokens } from './tokens/remove.ts';
import { createTour } from './tours/create.ts';
import { importTour } from './tours/import.ts';
import { mergeTours } from './tours/merge.ts';
import { users } from './users/users.ts';
import { webhooks } from './webhooks/webhooks.ts';

/** Every command, in the order in which help lists them. */
export const commands: readonly AddCommand[] = [
  login,
  logout,
  rooms,
  templates,
  endpoints,
  group('tours', 'tours of linked 360° photos', [createTour, importTour, mergeTours]),
  group('tokens', 'access tokens of protected structures', [listTokens, exportTokens, importTokens, removeTokens]),
  mailings,
  group('site', 'checks across all structures and rooms', [lintSite]),
  statistics,
  webhooks,
  group('media', 'media library', [listMedia, exportMedia, importMedia, removeMedia]),
  feeds,
  users,
  jobs,
  undo,
  completion,
  ...machineCommands,
];
