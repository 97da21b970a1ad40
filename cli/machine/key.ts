import { examples } from '../command.ts';
import { wrongError } from '../failure.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { askFirst, type Safety, withConsent } from '../safety/consent.ts';
import { environmentOf, type Place, withPlace } from './place.ts';

interface Options extends Place, Safety {
  replace?: boolean;
  json?: boolean;
}

export const key = withPlace((program) => {
  const command = program
    .command('key')
    .description('check that SECRET_KEY or the key file matches the key that encrypted the database')
    .option('--replace', 'use the new key from now on; data encrypted with the old key is lost')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples('enfilade key', 'enfilade key --replace --yes'))
    .action(async ({ replace = false, json, dryRun, yes, ...place }: Options) => {
      const print = (text: string, result: object) => writeOutput(undefined, json ? jsonText(result) : `${text}\n`);
      if (!replace) {
        await print(`The key matches ${await checkKey(place, false)}.`, { replaced: false });
        return;
      }
      await withConsent({ dryRun, yes }, async (isTried) => {
        if (isTried)
          await print('Would replace the key. Data encrypted with the old key would be lost.', { replaced: false });
        else await print(`The key of ${await checkKey(place, true)} has been replaced.`, { replaced: true });
        return true;
      });
    });
  askFirst(command);
  return command;
});

/** Checks the server key against the database, or replaces the recorded one. @returns name of the database */
async function checkKey(place: Place, replaces: boolean): Promise<string> {
  const { replaceKey, requireKey } = await import('../../src/server/core/secrets/key-check.ts');
  const { readSettings } = await import('../../src/server/core/settings.ts');
  const { systemClock } = await import('../../src/server/core/clock.ts');
  const { onMachine } = await import('./machine.ts');
  let database = '';
  await onMachine(
    place,
    async ({ db, name, migrate }) => {
      await migrate();
      const keyed = { db, clock: systemClock, settings: readSettings(environmentOf(place)) };
      if (replaces) await replaceKey(keyed);
      await requireKey(keyed).catch((error: unknown) => {
        throw wrongError((error as Error).message, 'Nothing was changed.');
      });
      database = name;
    },
    { isThere: true },
  );
  return database;
}
