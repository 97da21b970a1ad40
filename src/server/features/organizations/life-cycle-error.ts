/** Why an operator's action is refused. */
export class LifeCycleError extends Error {
  /** What to do next. */
  readonly suggestion: string;

  constructor(message: string, suggestion: string) {
    super(message);
    this.name = 'LifeCycleError';
    this.suggestion = suggestion;
  }
}
