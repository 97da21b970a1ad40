import { type AddCommand, group } from '../command.ts';
import { diffOrganizations } from '../organization/diff.ts';
import { exportOrganization } from '../organization/export.ts';
import { importOrganization } from '../organization/import.ts';
import { undoOrganization } from '../organization/undo.ts';
import { backup } from './backup.ts';
import { addOrganization } from './create-organization.ts';
import { deleteOrganization } from './delete-organization.ts';
import { changeHosts } from './hosts.ts';
import { key } from './key.ts';
import { renameOne, restoreOne, resumeOne, suspendOne } from './life-cycle.ts';
import { listAll } from './list-organizations.ts';
import { migrateDatabase } from './migrate.ts';
import { showUsage } from './month-usage.ts';
import { move } from './move.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';
import { setQuota } from './set-quota.ts';

/** Commands that work directly on the installation, without a running server. */
export const machineCommands: readonly AddCommand[] = [
  serve,
  migrateDatabase,
  backup,
  restore,
  move,
  key,
  group(
    'org',
    'whole organizations: export, import and comparison; and those on this machine',
    [
      exportOrganization,
      importOrganization,
      diffOrganizations,
      undoOrganization,
      listAll,
      addOrganization,
      renameOne,
      setQuota,
      changeHosts,
      suspendOne,
      resumeOne,
      deleteOrganization,
      restoreOne,
      showUsage,
    ],
    'organizations',
  ),
];
