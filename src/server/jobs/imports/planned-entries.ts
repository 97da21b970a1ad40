import { IMPORT_ACTIONS, type ImportPlan, MOST_TOLD, type Planned } from '../../../contract/entities.ts';

/** Wrong things that are told besides the others. */
const MOST_WRONG = 1000;

/** What an import does with each thing: all are counted, and as many told as fit into an answer. */
export class PlannedEntries {
  readonly counts = Object.fromEntries(IMPORT_ACTIONS.map((action) => [action, 0])) as ImportPlan['counts'];
  readonly #told: Planned[] = [];
  #wrong = 0;

  /** Notes what is done with the next thing. */
  push(entry: Planned): void {
    this.counts[entry.action]++;
    if (entry.action === 'wrong' ? ++this.#wrong <= MOST_WRONG : this.#told.length < MOST_TOLD) this.#told.push(entry);
  }

  /** Those that are told, in the order in which they were done. */
  get told(): readonly Planned[] {
    return this.#told;
  }
}
