/**
 * Runs synchronous work on untrusted text and throws `TookTooLong` if it takes too long. The work can be stopped at any
 * point, so it must not change state that outlives it.
 */
export type CutOff = <Answer>(text: string, work: () => Answer) => Answer;

/** Thrown when work was stopped before it returned a result. */
export class TookTooLong extends Error {
  constructor(seconds: number) {
    super(`it took more than ${seconds} s`);
    this.name = 'TookTooLong';
  }
}

/** Default if nothing can stop the work. */
export const neverCutOff: CutOff = (_text, work) => work();
