/** Work after actions, which lets more urgent work of the same process go first, such as the next model request. */
export class BackgroundWork {
  private readonly unfinished = new Set<Promise<void>>();
  /** Callbacks that end the delays. */
  private readonly delays = new Set<() => void>();

  /** Does work after a delay, or as soon as somebody needs the result. The work must not reject. */
  addLater(milliseconds: number, work: () => Promise<void>): void {
    this.add(this.delay(milliseconds).then(work));
  }

  /** Adds work that has begun. It must not reject. */
  add(work: Promise<void>): void {
    this.unfinished.add(work);
    void work.finally(() => this.unfinished.delete(work));
  }

  /** Resolves after a delay, or as soon as `hurry` is called. */
  delay(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const goOn = (): void => {
        clearTimeout(timer);
        this.delays.delete(goOn);
        resolve();
      };
      const timer = setTimeout(goOn, milliseconds);
      this.delays.add(goOn);
    });
  }

  /** Ends all delays. */
  hurry(): void {
    for (const goOn of this.delays) goOn();
  }

  /** Resolves when the work that was added so far has ended. */
  async done(): Promise<void> {
    await Promise.all(this.unfinished);
  }
}
