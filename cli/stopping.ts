const NOTHING_DONE = "Files that weren't sent completely have not been imported.";
const GOES_ON = 'The server continues the import. Run `enfilade jobs` to check it.';

let hasArrived = false;

/** Records whether the server has received a whole import and is processing it. */
export function noteArrival(isThere: boolean): void {
  hasArrived = isThere;
}

/** The message after Ctrl-C about the running import. */
export const stoppedText = (): string => (hasArrived ? GOES_ON : NOTHING_DONE);
