import { settled } from '../../../src/core/risk/assessment';
import { assessCommand } from '../../../src/core/shell/assessCommand';
import type { Assessment } from '../../../src/protocol/events/event';

/** What the analyser says of a command, so that no scene shows a sentence that Waymark does not say any more. */
export const judged = (command: string): Assessment =>
  settled(assessCommand(command, { workspace: '/home/ada/first-run', folder: '.' }));
