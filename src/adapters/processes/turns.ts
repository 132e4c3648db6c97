/** Runs work piece by piece, in the order in which it was asked for. A piece that fails does not hold up the next. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a piece of work when everything asked for before has ended. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves when everything asked for so far has ended. */
  async whenDone(): Promise<void> {
    await this.#last;
  }
}
