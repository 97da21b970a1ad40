import type { ImportPlan, Planned } from '../../src/contract/entities.ts';
import { type Problem, wrongError } from '../failure.ts';
import type { ImportOptions } from '../report/import-options.ts';
import type { Place } from './places.ts';

/** Parameters of an import request besides its items. */
export interface Switches {
  mode: ImportOptions['mode'];
  prune: boolean;
  dry_run: boolean;
}

export const switchesOf = ({ mode, prune, dryRun }: ImportOptions): Switches => ({ mode, prune, dry_run: dryRun });

/** Returns the location of the item at an index. */
type PlaceOf = (index: number) => (Pick<Place, 'file' | 'isRow'> & Partial<Place>) | undefined;

function problemsOf({ entries }: ImportPlan, placeOf: PlaceOf): Problem[] {
  return entries.flatMap(({ index, key, problems }) =>
    problems.map(({ path, reason }): Problem => {
      const item = index === null ? undefined : placeOf(index);
      // A row has columns; in a document, the entity's name says more than its first line.
      const place = !item?.isRow && key ? `${key}${path && `, ${path}`}` : path;
      return { ...(item && { file: item.file, line: item.line }), ...(place && { column: place }), reason };
    }),
  );
}

const KIND_NAMES: Record<Planned['kind'], string> = {
  rooms: 'room',
  templates: 'template',
  endpoints: 'structure',
  users: 'user',
  access_tokens: 'token',
};

/** Whether anything is added, changed or removed. */
export const changesAny = ({ counts }: ImportPlan): boolean => counts.create + counts.update + counts.remove > 0;

/** The message if nothing changes. */
function sameText({ counts, entries }: ImportPlan, isTried: boolean): string {
  const kinds = [...new Set(entries.map(({ kind }) => KIND_NAMES[kind]))];
  const noun = kinds.length === 1 ? kinds[0]! : 'thing';
  const same = counts.unchanged === 1 ? `1 ${noun}` : `${counts.unchanged} ${noun}s`;
  return `${isTried ? 'No changes' : 'Nothing changed'} (${same} checked).\n`;
}

/** The result or preview of an import, as text. */
export function planText(plan: ImportPlan, isTried: boolean): string {
  const { counts, entries, job } = plan;
  if (!changesAny(plan)) return sameText(plan, isTried);
  const count = Object.entries(counts).filter(([, number]) => number > 0);
  const head = `${isTried ? 'Would ' : ''}${count.map(([action, number]) => `${action} ${number}`).join(', ')}`;
  const lines = entries
    .filter(({ action }) => action !== 'unchanged' && action !== 'wrong')
    .map(({ action, kind, key, fields }) => {
      const names = fields.length > 8 ? [...fields.slice(0, 8), 'and more'] : fields;
      // The URL leads to another room from then on.
      const isMoved = kind === 'endpoints' && action === 'update' && fields.includes('room_id');
      const moved = isMoved ? ` (this public path ${isTried ? 'would show' : 'now shows'} another room)` : '';
      return `  ${action.padEnd(6)}  ${KIND_NAMES[kind].padEnd(9)}  ${key}${names.length > 0 ? `: ${names.join(', ')}` : ''}${moved}`;
    });
  const all = Object.values(counts).reduce((sum, number) => sum + number, 0);
  const more = all > entries.length ? [`  and ${all - entries.length} more`] : [];
  const undo = job === null ? [] : [`  Run \`enfilade undo ${job}\` to undo this.`];
  return [head, ...lines, ...more, ...undo, ''].join('\n');
}

/**
 * Rejects a plan with problems.
 * @throws CliError listing all problems with file, line and column
 */
export function refuseWrong(plan: ImportPlan, placeOf: PlaceOf): void {
  if (plan.counts.wrong === 0) return;
  throw wrongError('Nothing was imported.', 'Correct the errors and import again.', problemsOf(plan, placeOf));
}
