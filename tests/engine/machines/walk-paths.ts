import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  initialTransition,
  transition,
} from 'xstate';
import {
  adjacencyMapToArray,
  getAdjacencyMap,
  getShortestPaths,
  getSimplePaths,
  getStateNodes,
  serializeSnapshot,
} from 'xstate/graph';

export interface Walk {
  machine: AnyStateMachine;
  input?: unknown;
  /** Every event that is tried in every state: a few payloads each, and what timers and actors report. */
  events: readonly AnyEventObject[];
  /** Sets of them with which simple paths are looked for, where all would make too many; all when left out. */
  simpleEvents?: readonly (readonly AnyEventObject[])[];
  /** Whether an event is tried in a state, to keep counters bounded; always when left out. */
  tries?: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => boolean;
  /** Throws when a state that a path passes through is not as it must be after the event that led there. */
  invariant: (snapshot: AnyMachineSnapshot, event?: AnyEventObject) => void;
  /** Where everything must be able to come to rest again. */
  isResting: (snapshot: AnyMachineSnapshot) => boolean;
}

export interface WalkReport {
  shortestPaths: number;
  simplePaths: number;
  /** Paths on which an invariant did not hold, with what it said. */
  broken: string[];
  /** Names of states in which a path rested, such as `login.asking`, sorted. */
  reached: string[];
  /** States and contexts that no event leads out of. */
  deadEnds: string[];
  /** States and contexts from which no resting state can be reached. */
  stranded: string[];
}

/** Names of all states of a chart in which it can rest, sorted: leaves that are not left at once. */
export function restableStates(machine: AnyStateMachine): string[] {
  return getStateNodes(machine)
    .filter(({ type, always }) => (type === 'atomic' || type === 'final') && !always?.some(({ guard }) => !guard))
    .map(({ path }) => path.join('.'))
    .sort();
}

/** Names of the leaves in which a snapshot is, such as `['sequence.active', 'popup.opened']`. */
export function leavesOf(value: AnyMachineSnapshot['value'], prefix = ''): string[] {
  if (typeof value === 'string') return [prefix + value];
  return Object.entries(value).flatMap(([key, below]) =>
    below === undefined ? [] : leavesOf(below, `${prefix}${key}.`),
  );
}

/**
 * Walks every shortest and every simple path of a chart, step by step with the pure transition function, asserting the
 * invariant in each state on the way, and that each step leads where the path says.
 */
export function walkPaths({ machine, input, events, simpleEvents = [events], tries, invariant, isResting }: Walk) {
  const options = { input, events, filterEvents: tries };
  const shortest = getShortestPaths(machine, options);
  const simple = simpleEvents.flatMap((set) => getSimplePaths(machine, { ...options, events: set }));
  if (shortest.length < 2 || simple.length < 2) throw new Error('There is nothing to walk.');
  const reached = new Set<string>();
  const broken: string[] = [];
  for (const path of [...shortest, ...simple]) {
    // The first step only says how the path begins.
    const steps = path.steps.slice(1);
    let [snapshot]: [AnyMachineSnapshot, ...unknown[]] = initialTransition(machine, input);
    try {
      invariant(snapshot);
      for (const leaf of leavesOf(snapshot.value)) reached.add(leaf);
      for (const { event, state } of steps) {
        [snapshot] = transition(machine, snapshot, event);
        if (keyOf(snapshot) !== keyOf(state)) throw new Error(`${event.type} led elsewhere.`);
        invariant(snapshot, event);
        for (const leaf of leavesOf(snapshot.value)) reached.add(leaf);
      }
    } catch (error) {
      broken.push(`${steps.map(({ event }) => JSON.stringify(event)).join(' → ')}: ${error}`);
    }
  }
  return {
    shortestPaths: shortest.length,
    simplePaths: simple.length,
    broken,
    reached: [...reached].sort(),
    ...findDeadEnds(machine, options, isResting),
  } satisfies WalkReport;
}

const keyOf = (snapshot: AnyMachineSnapshot): string => serializeSnapshot(snapshot);

function findDeadEnds(
  machine: AnyStateMachine,
  options: { input: unknown; events: readonly AnyEventObject[]; filterEvents: Walk['tries'] },
  isResting: Walk['isResting'],
): Pick<WalkReport, 'deadEnds' | 'stranded'> {
  const steps = adjacencyMapToArray(getAdjacencyMap(machine, options)).map(({ state, nextState }) => ({
    from: keyOf(state),
    to: keyOf(nextState),
    rests: isResting(state),
  }));
  const home = new Set(steps.filter(({ rests }) => rests).map(({ from }) => from));
  if (home.size === 0) throw new Error('No state is a resting one.');
  for (let before = -1; before !== home.size; ) {
    before = home.size;
    for (const { from, to } of steps) if (home.has(to)) home.add(from);
  }
  const moving = new Set(steps.filter(({ from, to }) => from !== to).map(({ from }) => from));
  const keys = [...new Set(steps.map(({ from }) => from))];
  return {
    deadEnds: keys.filter((key) => !moving.has(key)),
    stranded: keys.filter((key) => !home.has(key)),
  };
}
