/** Called when something ends, with its error if it failed. */
export type OnEnd = (error?: unknown) => void;

/** Observers of work that has no request at hand. Without tracing, there are none. */
export interface Observers {
  /** A database statement begins. @param sql with placeholders for its values */
  statement(sql: string): OnEnd;
  /** Runs a job. */
  job<T>(name: string, run: () => Promise<T>): Promise<T>;
}

/** The current observers, one set per process. */
export const observers: { current: Observers | null } = { current: null };
