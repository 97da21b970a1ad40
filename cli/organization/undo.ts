import { type AddCommand, connected, examples } from '../command.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';

export const undoOrganization: AddCommand = (organizations) => {
  const command = organizations
    .command('undo')
    .description('undo an import of an organization: remove its additions, and revert its changes and removals')
    .argument('<file>', 'undo file, printed by the import')
    .option('--force', 'undo even if entries have changed since; later changes are lost', false)
    .addHelpText(
      'after',
      examples(
        'enfilade org undo org-undo-2026-03-10T120000.ndjson --dry-run',
        'enfilade org undo monday.ndjson --force --yes',
      ),
    )
    .action(
      connected(async (connection, file: string, { force, ...safety }: Safety & { force: boolean }) => {
        const { undoOrganizationImport } = await import('./run-undo.ts');
        await withConsent(safety, (isTried) => undoOrganizationImport(connection, file, force, isTried));
      }),
    );
  askFirst(command);
};
