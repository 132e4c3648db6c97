/**
 * Runs work of one piece on a text that others wrote, and throws `TookTooLong` where it takes too long. The work is
 * stopped wherever it is, so that it must change nothing that outlives it.
 */
export type CutOff = <Answer>(text: string, work: () => Answer) => Answer;

/** Work that was stopped before it came to an answer. */
export class TookTooLong extends Error {
  constructor(seconds: number) {
    super(`it took more than ${seconds} s`);
    this.name = 'TookTooLong';
  }
}

/** Where nothing can stop it. */
export const neverCutOff: CutOff = (_text, work) => work();
