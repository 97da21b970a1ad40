import { type AddCommand, group } from './command.ts';
import { completion } from './completion.ts';
import { copyEndpoint } from './endpoints/copy.ts';
import { exportEndpoints } from './endpoints/export.ts';
import { importEndpoints } from './endpoints/import.ts';
import { listEndpoints } from './endpoints/list.ts';
import { removeEndpoints } from './endpoints/remove.ts';
import { approveItems, hideItems, removeItems, restoreItems } from './feeds/items/change-items.ts';
import { listItems } from './feeds/items/list.ts';
import { listFeeds } from './feeds/list.ts';
import { jobs } from './imports/jobs.ts';
import { undo } from './imports/undo.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { addUser } from './machine/add-user.ts';
import { machineCommands } from './machine/machine-commands.ts';
import { exportMedia } from './media/export.ts';
import { importMedia } from './media/import.ts';
import { listMedia } from './media/list.ts';
import { removeMedia } from './media/remove.ts';
import { budget } from './rooms/budget.ts';
import { copyRoom } from './rooms/copy.ts';
import { createRooms } from './rooms/create.ts';
import { diff } from './rooms/diff.ts';
import { exportRooms } from './rooms/export.ts';
import { importRooms } from './rooms/import.ts';
import { lint } from './rooms/lint.ts';
import { listRooms } from './rooms/list.ts';
import { logRoom } from './rooms/log.ts';
import { mergeRooms } from './rooms/merge.ts';
import { publishRoom } from './rooms/publish.ts';
import { removeRooms } from './rooms/remove.ts';
import { simulateRoom } from './rooms/simulate.ts';
import { unpublishRoom } from './rooms/unpublish.ts';
import { lintSite } from './site/lint.ts';
import { statistics } from './statistics/statistics.ts';
import { copyTemplate } from './templates/copy.ts';
import { exportTemplates } from './templates/export.ts';
import { importTemplates } from './templates/import.ts';
import { listTemplates } from './templates/list.ts';
import { removeTemplates } from './templates/remove.ts';
import { exportTokens } from './tokens/export.ts';
import { importTokens } from './tokens/import.ts';
import { listTokens } from './tokens/list.ts';
import { removeTokens } from './tokens/remove.ts';
import { exportUsers } from './users/export.ts';
import { importUsers } from './users/import.ts';
import { listUsers } from './users/list.ts';
import { removeUsers } from './users/remove.ts';
import { addWebhook } from './webhooks/add.ts';
import { listWebhooks } from './webhooks/list.ts';
import { logWebhook } from './webhooks/log.ts';
import { removeWebhooks } from './webhooks/remove.ts';
import { testWebhook } from './webhooks/test.ts';

/** Every command, in the order in which the help lists them. */
export const commands: readonly AddCommand[] = [
  login,
  logout,
  group('rooms', 'rooms (spaces) with their elements', [
    listRooms,
    logRoom,
    exportRooms,
    importRooms,
    createRooms,
    copyRoom,
    removeRooms,
    publishRoom,
    unpublishRoom,
    lint,
    diff,
    mergeRooms,
    simulateRoom,
    budget,
  ]),
  group('templates', 'templates: the shells that rooms are made from', [
    listTemplates,
    exportTemplates,
    importTemplates,
    copyTemplate,
    removeTemplates,
  ]),
  group('endpoints', 'structures: the public addresses that show rooms', [
    listEndpoints,
    exportEndpoints,
    importEndpoints,
    copyEndpoint,
    removeEndpoints,
  ]),
  group('tokens', 'access tokens of protected structures', [listTokens, exportTokens, importTokens, removeTokens]),
  group('site', 'all structures and rooms together', [lintSite]),
  statistics,
  group('webhooks', 'addresses that are told what happens', [
    listWebhooks,
    addWebhook,
    testWebhook,
    logWebhook,
    removeWebhooks,
  ]),
  group('media', 'the media library', [listMedia, exportMedia, importMedia, removeMedia]),
  group('feeds', 'feeds, and what visitors share into them', [
    listFeeds,
    group('items', 'what visitors shared into local feeds', [
      listItems,
      approveItems,
      hideItems,
      removeItems,
      restoreItems,
    ]),
  ]),
  group('users', 'users of the back-office', [listUsers, exportUsers, importUsers, removeUsers, addUser]),
  jobs,
  undo,
  completion,
  ...machineCommands,
];
