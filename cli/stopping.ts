const NOTHING_DONE = 'What had not reached the server as a whole was not imported.';
const GOES_ON = 'The server goes on with the import; see `enfilade jobs`.';

let hasArrived = false;

/** Notes whether the server has all of an import, and works through it. */
export function noteArrival(isThere: boolean): void {
  hasArrived = isThere;
}

/** What becomes of an import that Ctrl-C leaves alone. */
export const stoppedText = (): string => (hasArrived ? GOES_ON : NOTHING_DONE);
