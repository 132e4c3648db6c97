import { reply, toolCall, toolCalls, type Answer, type CallSpec } from '../support/modelServer';
import type { Chance } from './chance';

/** Returns a file that a story writes. Without its last line it is incomplete. */
export function wholeFile(number: number): string {
  const filler = `${'x'.repeat(79)}\n`.repeat(200);
  return `head ${number}\n${filler}end ${number}\n`;
}

/**
 * The replies of the model in a chaos run: a few steps with distinguishable effects, then the end. A resumed run gets
 * as many steps again. No number is used twice, so a duplicate effect was done twice.
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

  /** Starts the next run. */
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
        // All calls are different, because repeated calls count as a loop and end a run.
        return { id, tool: 'read_file', input: { path: 'a.txt', to: number } };
    }
  }
}
