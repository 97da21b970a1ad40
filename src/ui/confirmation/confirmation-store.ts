import { makeAutoObservable } from 'mobx';

/** A question before something that cannot be undone, or that is better meant. */
export interface Question {
  title: string;
  text: string;
  /** What the button says that goes on. */
  action: string;
  /** What the other button says; Cancel where nothing is given. */
  refusal?: string;
  /** Whether something is destroyed by it. */
  destroys?: boolean;
}

/** The one question that is open. */
class ConfirmationStore {
  question: Question | null = null;
  #answer: ((yes: boolean) => void) | null = null;

  constructor() {
    makeAutoObservable(this);
  }

  ask(question: Question): Promise<boolean> {
    this.answer(false);
    this.question = question;
    return new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  answer(yes: boolean): void {
    this.question = null;
    this.#answer?.(yes);
    this.#answer = null;
  }
}

export const confirmation = new ConfirmationStore();

/** Asks a question and waits for the answer; Cancel, Esc and the backdrop say no. */
export const confirm = (question: Question): Promise<boolean> => confirmation.ask(question);
