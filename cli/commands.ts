import { listFindings } from './accessibility/findings.ts';
import { reportConformance } from './accessibility/report.ts';
import { blocks } from './blocks/blocks.ts';
import { type AddCommand, group } from './command.ts';
import { completion } from './completion.ts';
import { endpoints } from './endpoints/endpoints.ts';
import { feeds } from './feeds/feeds.ts';
import { folders, mediaFolders } from './folders/folders.ts';
import { importManifest } from './iiif/import.ts';
import { jobs } from './imports/jobs.ts';
import { undo } from './imports/undo.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { machineCommands } from './machine/machine-commands.ts';
import { mailings } from './mailings/mailings.ts';
import { mcp } from './mcp.ts';
import { downloadMedia } from './media/download.ts';
import { exportMedia } from './media/export.ts';
import { importMedia } from './media/import.ts';
import { listMedia } from './media/list.ts';
import { optimizeMedia } from './media/optimize.ts';
import { keywordsOfMedia, mergeMedia, moveMedia, usesOfMedia } from './media/organize.ts';
import { removeMedia } from './media/remove.ts';
import { updateMedia } from './media/update.ts';
import { listVersions, replaceMedia, restoreMedia } from './media/versions.ts';
import { proposals } from './proposals/proposals.ts';
import { rooms } from './rooms/rooms.ts';
import { buildSite } from './site/build.ts';
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
import { translations } from './translations/translations.ts';
import { users } from './users/users.ts';
import { webhooks } from './webhooks/webhooks.ts';

/** Every command, in the order in which help lists them. */
export const commands: readonly AddCommand[] = [
  login,
  logout,
  rooms,
  folders,
  templates,
  blocks,
  proposals,
  endpoints,
  translations,
  group('tours', 'tours of linked 360° photos', [createTour, importTour, mergeTours]),
  group('iiif', 'IIIF manifests and collections', [importManifest]),
  group('tokens', 'access tokens of protected structures', [listTokens, exportTokens, importTokens, removeTokens]),
  mailings,
  group('site', 'checks across all structures, and static sites', [buildSite, lintSite]),
  group('accessibility', 'conformance of the product, and findings in spaces', [reportConformance, listFindings]),
  statistics,
  webhooks,
  group('media', 'media library', [
    listMedia,
    usesOfMedia,
    exportMedia,
    downloadMedia,
    importMedia,
    updateMedia,
    optimizeMedia,
    keywordsOfMedia,
    moveMedia,
    replaceMedia,
    listVersions,
    restoreMedia,
    mergeMedia,
    removeMedia,
  ]),
  mediaFolders,
  feeds,
  users,
  jobs,
  undo,
  mcp,
  completion,
  ...machineCommands,
];
