import type { Call } from '../../../contract/call.ts';
import {
  type ImportPlan,
  type ImportReport,
  importPlanSchema,
  importReportSchema,
} from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Measure, Sample } from '../../core/metrics.ts';

const OUTCOMES = ['done', 'tried', 'refused', 'failed'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The kind of an import call, such as `rooms`; null for other calls. */
export function importKindOf({ path, output, method }: Call): string | null {
  if (method !== 'POST') return null;
  if ((output as unknown) === importReportSchema) return 'tokens';
  return (output as unknown) === importPlanSchema ? (/^\/backend\/imports\/(\w+)/.exec(path)?.[1] ?? null) : null;
}

/** The outcome of an import and its number of items. */
function resultOf(answer: unknown, isDryRun: boolean): { outcome: Outcome; rows: number } {
  const given = answer as ImportPlan | ImportReport;
  if ('accepted' in given)
    return isDryRun ? { outcome: 'tried', rows: 0 } : { outcome: 'done', rows: given.accepted + given.updated };
  const { counts, applied } = given;
  if (counts.wrong > 0) return { outcome: 'refused', rows: 0 };
  if (isDryRun) return { outcome: 'tried', rows: 0 };
  const isDone = applied || counts.create + counts.update + counts.remove === 0;
  return { outcome: isDone ? 'done' : 'tried', rows: applied ? counts.create + counts.update + counts.remove : 0 };
}

/** Import metrics: running imports, outcomes, and imported items. */
export class ImportMeasures {
  readonly #running = new Map<string, number>();
  readonly #ended = new Map<string, { outcomes: Record<Outcome, number>; rows: number }>();

  #countsOf(kind: string) {
    const known = this.#ended.get(kind) ?? { outcomes: { done: 0, tried: 0, refused: 0, failed: 0 }, rows: 0 };
    this.#ended.set(kind, known);
    return known;
  }

  /** Measures one import. @param isDryRun whether it is a dry run */
  async follow<T>(kind: string, isDryRun: boolean, work: () => Promise<T>): Promise<T> {
    const counts = this.#countsOf(kind);
    const change = (by: number) => this.#running.set(kind, (this.#running.get(kind) ?? 0) + by);
    change(1);
    try {
      const answer = await work();
      const { outcome, rows } = resultOf(answer, isDryRun);
      counts.outcomes[outcome]++;
      counts.rows += rows;
      return answer;
    } catch (error) {
      counts.outcomes[error instanceof ApiError && error.status < 500 ? 'refused' : 'failed']++;
      throw error;
    } finally {
      change(-1);
    }
  }

  measures(): Measure[] {
    const kinds = <T>(map: Map<string, T>, value: (entry: T) => number): Sample[] =>
      [...map].map(([kind, entry]) => [{ kind }, value(entry)]);
    return [
      {
        name: 'imports_running',
        type: 'gauge',
        help: 'Imports under way.',
        labels: ['kind'],
        read: () => kinds(this.#running, (count) => count),
      },
      {
        name: 'imports_total',
        type: 'counter',
        help: 'Imports by how they ended: done, only tried, refused for what was wrong, or failed.',
        labels: ['kind', 'outcome'],
        read: () =>
          [...this.#ended].flatMap(([kind, { outcomes }]) =>
            OUTCOMES.map((outcome): Sample => [{ kind, outcome }, outcomes[outcome]]),
          ),
      },
      {
        name: 'imports_rows_total',
        type: 'counter',
        help: 'Things that imports added, changed or removed.',
        labels: ['kind'],
        read: () => kinds(this.#ended, ({ rows }) => rows),
      },
    ];
  }
}
