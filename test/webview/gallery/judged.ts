import { finalAssessment } from '../../../src/core/risk/assessment';
import { assessCommand } from '../../../src/core/shell/assessCommand';
import type { Assessment } from '../../../src/protocol/events/event';

/** Returns the analyser's real assessment of a command, so that no scene shows an outdated sentence. */
export const judged = (command: string): Assessment =>
  finalAssessment(assessCommand(command, { workspace: '/home/ada/first-run', folder: '.' }));
