import { action, computed, makeObservable, observable, observableRef } from 'mobx';
import { storedText } from '../storage.ts';

/** A confirmation before an action. */
export interface Question {
  title: string;
  text: string;
  /** Label of the confirm button. */
  action: string;
  /** Label of an alternative button. */
  alternative?: string;
  /** Whether the action is destructive. */
  destroys?: boolean;
  /** Whether the user may turn it off, for actions that can be undone. */
  isOptional?: boolean;
}

/** The chosen button; null for Cancel, Esc and the backdrop. */
export type Answer = 'action' | 'alternative' | null;

interface Asked {
  question: Question;
  resolve(answer: Answer): void;
}

const kept = storedText('enfilade.unasked');

/** Confirmations, shown one at a time. */
class ConfirmationStore {
  asked: readonly Asked[] = [];
  /** Whether optional confirmations are shown, in this browser. */
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

  /** The open confirmation. */
  get question(): Question | null {
    return this.asked[0]?.question ?? null;
  }

  setAsksOptional(asks: boolean): void {
    this.asksOptional = asks;
    kept.set(asks ? null : 'optional');
  }

  ask(question: Question): Promise<Answer> {
    if (question.isOptional && !this.asksOptional) return Promise.resolve('action');
    // A repeated question, such as from a held key, shares one answer.
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

/** Asks for confirmation; Cancel, Esc and the backdrop resolve to false. */
export const confirm = async (question: Question): Promise<boolean> => (await confirmation.ask(question)) === 'action';

/** Asks with two ways to continue. */
export const choose = (question: Question & { alternative: string }): Promise<Answer> => confirmation.ask(question);
