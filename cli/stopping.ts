const NOTHING_DONE = 'What had not reached the server as a whole was not imported.';
const GOES_ON = 'The server goes on with the import; see `enfilade jobs`.';

let hasArrived = false;

/** Records whether the server has received a whole import and is processing it. */
export function noteArrival(isThere: boolean): void {
  hasArrived = isThere;
}

/** The message after Ctrl-C about the running import. */
export const stoppedText = (): string => (hasArrived ? GOES_ON : NOTHING_DONE);
