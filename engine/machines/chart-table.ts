/** An action that the chart leaves to its host, with its parameter. */
export interface ChartCommand {
  readonly type: string;
  readonly params?: unknown;
}

/**
 * A chart as a lookup table over state × event × guard outcomes. The index of a step's next state and commands is the
 * state's index times `row`, plus the event's index, plus the bits of the guards that hold.
 */
export interface ChartTable<State = unknown, Event extends string = string, Guard extends string = string> {
  /** State values as in xstate, by index; 0 is the initial state. */
  readonly states: readonly State[];
  /** Indices of the events. */
  readonly events: Readonly<Record<Event, number>>;
  /** Bits of the guards. */
  readonly guards: Readonly<Record<Guard, number>>;
  /** Number of entries per state. */
  readonly row: number;
  /** Next state by entry. */
  readonly next: Uint8Array;
  /** Index into `commands` by entry. */
  readonly told: Uint8Array;
  /** Command lists, each in order; entry 0 is empty. */
  readonly commands: readonly (readonly ChartCommand[])[];
}

/** Parameter of one command type, by command list; null if the list doesn't contain the command. */
export function paramsOf<Params>({ commands }: ChartTable, type: string): readonly (Params | null)[] {
  return commands.map((list) => (list.find((command) => command.type === type)?.params ?? null) as Params | null);
}
