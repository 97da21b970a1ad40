/** Why an operator's action is refused. */
export class LifeCycleError extends Error {
  /** What to do next. */
  readonly suggestion: string;
  /** Whether a value is malformed, so that it can't fit any organization. */
  readonly isMalformed: boolean;

  constructor(message: string, suggestion: string, { isMalformed = false } = {}) {
    super(message);
    this.name = 'LifeCycleError';
    this.suggestion = suggestion;
    this.isMalformed = isMalformed;
  }
}
