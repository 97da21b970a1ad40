import type { Call } from '../../../contract/call.ts';
import {
  type ImportPlan,
  type ImportReport,
  importPlanSchema,
  importReportSchema,
} from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Measure, Sample } from '../../core/metrics.ts';

const OUTCOMES = ['done', 'refused', 'failed'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** Counts of one kind of import. */
interface Counts {
  outcomes: Record<Outcome, number>;
  dryRuns: number;
  rows: number;
}

/** The kind of an import call, such as `rooms`; null for other calls. */
export function importKindOf({ path, output, method }: Call): string | null {
  if (method !== 'POST') return null;
  if ((output as unknown) === importReportSchema) return 'tokens';
  return (output as unknown) === importPlanSchema ? (/^\/backend\/imports\/(\w+)/.exec(path)?.[1] ?? null) : null;
}

/** The outcome of an import and its number of items; null for a plan that was only shown. */
function resultOf(answer: unknown): { outcome: Outcome; rows: number } | null {
  const given = answer as ImportPlan | ImportReport;
  if ('accepted' in given) return { outcome: 'done', rows: given.accepted + given.updated };
  const { counts, applied } = given;
  if (counts.wrong > 0) return { outcome: 'refused', rows: 0 };
  const rows = counts.create + counts.update + counts.remove;
  return applied || rows === 0 ? { outcome: 'done', rows } : null;
}

/** Import metrics: running imports, outcomes, and imported items. */
export class ImportMeasures {
  readonly #running = new Map<string, number>();
  readonly #ended = new Map<string, Counts>();

  #countsOf(kind: string): Counts {
    const known = this.#ended.get(kind) ?? { outcomes: { done: 0, refused: 0, failed: 0 }, dryRuns: 0, rows: 0 };
    this.#ended.set(kind, known);
    return known;
  }

  /** Measures one import. @param isDryRun whether it is a dry run */
  async follow<T>(kind: string, isDryRun: boolean, work: () => Promise<T>): Promise<T> {
    const counts = this.#countsOf(kind);
    if (isDryRun) {
      counts.dryRuns++;
      return work();
    }
    const change = (by: number) => this.#running.set(kind, (this.#running.get(kind) ?? 0) + by);
    change(1);
    try {
      const answer = await work();
      const result = resultOf(answer);
      if (result) {
        counts.outcomes[result.outcome]++;
        counts.rows += result.rows;
      } else counts.dryRuns++;
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
        help: 'Imports in progress.',
        labels: ['kind'],
        read: () => kinds(this.#running, (count) => count),
      },
      {
        name: 'imports_total',
        type: 'counter',
        help: 'Imports that ended: done, refused because of invalid input, or failed.',
        labels: ['kind', 'outcome'],
        read: () =>
          [...this.#ended].flatMap(([kind, { outcomes }]) =>
            OUTCOMES.map((outcome): Sample => [{ kind, outcome }, outcomes[outcome]]),
          ),
      },
      {
        name: 'import_dry_runs_total',
        type: 'counter',
        help: 'Plans of imports that changed nothing.',
        labels: ['kind'],
        read: () => kinds(this.#ended, ({ dryRuns }) => dryRuns),
      },
      {
        name: 'import_rows_total',
        type: 'counter',
        help: 'Items that imports added, changed or removed.',
        labels: ['kind'],
        read: () => kinds(this.#ended, ({ rows }) => rows),
      },
    ];
  }
}
