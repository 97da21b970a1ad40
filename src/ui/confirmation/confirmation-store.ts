import { action, computed, makeObservable, observable, observableRef } from 'mobx';
import { storedText } from '../storage.ts';

/** A question before something that cannot be undone, or that is better meant. */
export interface Question {
  title: string;
  text: string;
  /** What the button says that goes on. */
  action: string;
  /** What the button of another way to go on says. */
  alternative?: string;
  /** Whether something is destroyed by it. */
  destroys?: boolean;
  /** Whether people may choose not to be asked: what goes on is undone as easily as it is done. */
  isOptional?: boolean;
}

/** What was pressed; null for Cancel, Esc and the backdrop. */
export type Answer = 'action' | 'alternative' | null;

interface Asked {
  question: Question;
  resolve(answer: Answer): void;
}

const kept = storedText('enfilade.unasked');

/** Questions, of which one is open; the others wait for their turn. */
class ConfirmationStore {
  asked: readonly Asked[] = [];
  /** Whether optional questions are asked, in this browser. */
  asksOptional = kept.get() === null;

  constructor() {
    makeObservable(this, {
      asked: observableRef,
      asksOptional: observable,
      question: computed,
      ask: action,
      answer: action,
      setAsksOptional: action,
    });
  }

  /** The question that is open. */
  get question(): Question | null {
    return this.asked[0]?.question ?? null;
  }

  setAsksOptional(asks: boolean): void {
    this.asksOptional = asks;
    kept.set(asks ? null : 'optional');
  }

  ask(question: Question): Promise<Answer> {
    if (question.isOptional && !this.asksOptional) return Promise.resolve('action');
    // Whoever asks the same twice, with a key that was held, wants one answer.
    const isSame = ({ question: other }: Asked) => other.title === question.title && other.text === question.text;
    for (const { resolve } of this.asked.filter(isSame)) resolve(null);
    return new Promise((resolve) => {
      this.asked = [...this.asked.filter((other) => !isSame(other)), { question, resolve }];
    });
  }

  answer(answer: Answer): void {
    const [first, ...others] = this.asked;
    this.asked = others;
    first?.resolve(answer);
  }
}

export const confirmation = new ConfirmationStore();

/** Asks a question and waits for the answer; Cancel, Esc and the backdrop say no. */
export const confirm = async (question: Question): Promise<boolean> => (await confirmation.ask(question)) === 'action';

/** Asks a question that has two ways to go on, and waits for the answer. */
export const choose = (question: Question & { alternative: string }): Promise<Answer> => confirmation.ask(question);
