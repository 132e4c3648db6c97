import { reply, toolCall, toolCalls, type Answer, type CallSpec } from '../support/modelServer';
import type { Chance } from './chance';

/** A file that a story writes: whoever finds it without its last line has found half of it. */
export function wholeFile(number: number): string {
  const filler = `${'x'.repeat(79)}\n`.repeat(200);
  return `head ${number}\n${filler}end ${number}\n`;
}

/**
 * What the model of a chaos run says: a few steps with effects that can be told apart, then the end. A run that is
 * continued gets as many steps again; no number is used twice, so an effect that is there twice was done twice.
 */
export class Story {
  private number = 0;
  private calls = 0;
  private stepsLeft: number;

  constructor(
    private readonly chance: Chance,
    private readonly steps: number,
  ) {
    this.stepsLeft = steps;
  }

  /** The next run begins. */
  goesOn(): void {
    this.stepsLeft = this.steps;
  }

  readonly answer = (): Answer => {
    if (this.stepsLeft-- <= 0) return this.end();
    const calls = Array.from({ length: this.chance.happens(0.3) ? 2 : 1 }, () => this.call());
    return toolCalls(calls, this.chance.happens(0.5) ? { text: 'So it goes.' } : {});
  };

  private end(): Answer {
    const summary = `finished-${++this.number}`;
    return this.chance.happens(0.8) ? toolCall('finish', { summary }, { text: 'That is all.' }) : reply(summary);
  }

  private call(): CallSpec {
    const number = ++this.number;
    const id = `call_${++this.calls}`;
    const kind = this.chance.oneOf(['command', 'command', 'command', 'write', 'read'] as const);
    switch (kind) {
      case 'command':
        return {
          id,
          tool: 'run_command',
          input: { command: `echo effect-${number} >> effects.txt; echo printed-${number}` },
        };
      case 'write':
        return { id, tool: 'write_file', input: { path: `file-${number}.txt`, content: wholeFile(number) } };
      case 'read':
        // Each call is another one: whoever repeats one goes in circles, which ends a run.
        return { id, tool: 'read_file', input: { path: 'a.txt', to: number } };
    }
  }
}
