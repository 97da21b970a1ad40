/** What a chart has whoever runs it do: an action that the chart leaves open, with its parameter. */
export interface ChartCommand {
  readonly type: string;
  readonly params?: unknown;
}

/**
 * A chart as a table: state × event × outcomes of the guards. The next state and the commands of a step stand at its
 * place: the state's number times `row`, plus the number of the event, plus the bits of the guards that hold.
 */
export interface ChartTable<State = unknown, Event extends string = string, Guard extends string = string> {
  /** Values of the states, as xstate has them, by number; 0 is the initial one. */
  readonly states: readonly State[];
  /** Numbers of the events. */
  readonly events: Readonly<Record<Event, number>>;
  /** Bits of the guards. */
  readonly guards: Readonly<Record<Guard, number>>;
  /** How many places each state has. */
  readonly row: number;
  /** By place: number of the next state. */
  readonly next: Uint8Array;
  /** By place: which of `commands` are given. */
  readonly told: Uint8Array;
  /** What is done in one step, in order; 0 is nothing. */
  readonly commands: readonly (readonly ChartCommand[])[];
}

/** Parameter of the command of a type, by what a step tells; null where it tells none. */
export function paramsOf<Params>({ commands }: ChartTable, type: string): readonly (Params | null)[] {
  return commands.map((list) => (list.find((command) => command.type === type)?.params ?? null) as Params | null);
}
