import {
  type AnyStateMachine,
  createMachine,
  type EventFrom,
  initialTransition,
  type StateMachine,
  type StateValueFrom,
  transition,
} from 'xstate';
import type { ChartCommand, ChartTable } from './chart-table.ts';

type Regions<Machine extends AnyStateMachine> = Required<Extract<StateValueFrom<Machine>, object>>;
type GuardOf<Machine extends AnyStateMachine> =
  // biome-ignore lint/suspicious/noExplicitAny: the machine's other type parameters are irrelevant.
  Machine extends StateMachine<any, any, any, any, any, infer Guard, any, any, any, any, any, any, any, any>
    ? Guard['type']
    : never;

interface Step {
  next: number;
  told: number;
}

/** Maximum number of states and of command lists, which are stored in a byte. */
const MAX_CHART_STATES = 256;

/**
 * Compiles a chart to a table by evaluating every state, event and combination of guard outcomes, so that entities need
 * no actor each.
 * @throws Error if the chart can't be a table: it has delays, actors or context, or emits commands before any event
 */
export function compile<Machine extends AnyStateMachine>(
  machine: Machine,
): ChartTable<StateValueFrom<Machine>, EventFrom<Machine>['type'], GuardOf<Machine>> {
  const names = Object.keys(machine.implementations.guards);
  const events = [...machine.events];
  const combinations = 1 << names.length;
  const refuse = (why: string) => new Error(`The chart ${machine.id} can't be a table: ${why}.`);
  let outcomes = 0;
  const guards = names.map((name, bit) => {
    const answer = (_: unknown, params: unknown) => {
      if (params !== undefined) throw refuse(`its guard ${name} has a parameter`);
      return (outcomes & (1 << bit)) !== 0;
    };
    return [name, answer] as const;
  });
  const evaluated = machine.provide({ guards: Object.fromEntries(guards) });
  const [first, begun] = initialTransition(evaluated, {});
  if (begun.length > 0) throw refuse('it tells something before any event');
  const snapshots = [first];
  const keys = [JSON.stringify(first.value)];
  const commands: ChartCommand[][] = [[]];
  const commandKeys = ['[]'];
  const steps: Step[] = [];
  // The list grows during iteration as new states are reached.
  for (const snapshot of snapshots) {
    for (const type of events) {
      for (outcomes = 0; outcomes < combinations; outcomes++) {
        const [after, actions] = transition(evaluated, snapshot, { type });
        if (JSON.stringify(after.context) !== JSON.stringify(first.context)) throw refuse('it keeps something');
        const given = actions.map(({ type: action, params }): ChartCommand => {
          if (action.startsWith('xstate.')) throw refuse(`it has the action ${action}`);
          return params === undefined ? { type: action } : { type: action, params };
        });
        steps.push({
          next: numberOf(keys, JSON.stringify(after.value), () => snapshots.push(after)),
          told: numberOf(commandKeys, JSON.stringify(given), () => commands.push(given)),
        });
      }
    }
  }
  if (snapshots.length > MAX_CHART_STATES || commands.length > MAX_CHART_STATES) throw refuse('it has too many states');
  const isUsed = names.map((_, bit) => steps.some((step, at) => differs(step, steps[at ^ (1 << bit)]!)));
  // Unused guards get no bit.
  const unusedBits = isUsed.reduce((bits, isAsked, bit) => (isAsked ? bits : bits | (1 << bit)), 0);
  const kept = steps.filter((_, at) => ((at % combinations) & unusedBits) === 0);
  const usedNames = names.filter((_, bit) => isUsed[bit]);
  return {
    states: snapshots.map(({ value }) => value),
    events: Object.fromEntries(events.map((type, index) => [type, index << usedNames.length])) as never,
    guards: Object.fromEntries(usedNames.map((name, bit) => [name, 1 << bit])) as never,
    row: events.length << usedNames.length,
    next: Uint8Array.from(kept, (step) => step.next),
    told: Uint8Array.from(kept, (step) => step.told),
    commands,
  };
}

/**
 * Compiles each parallel region of a chart to a table of its own, with the guards of the whole chart.
 * @throws Error like `compile`
 */
export function compileRegions<Machine extends AnyStateMachine>(
  machine: Machine,
): {
  [Name in keyof Regions<Machine>]: ChartTable<Regions<Machine>[Name], EventFrom<Machine>['type'], GuardOf<Machine>>;
} {
  const regions = Object.entries<object>(machine.config.states ?? {});
  const tables = regions.map(([name, region]) => {
    const chart: AnyStateMachine = createMachine({ ...region, id: `${machine.id}.${name}` });
    return [name, compile(chart.provide(machine.implementations))] as const;
  });
  return Object.fromEntries(tables) as never;
}

const differs = (one: Step, other: Step) => one.next !== other.next || one.told !== other.told;

/** Index of a key in a list, added if it is new. */
function numberOf(keys: string[], key: string, join: () => void): number {
  const known = keys.indexOf(key);
  if (known >= 0) return known;
  join();
  return keys.push(key) - 1;
}
