import { pythonFirstLine, pythonLeftStrip, pythonStrip } from './pythonBlanks';

/**
 * What an output hands in whose first line is one of the markers: all that follows; undefined where it is none. Blanks
 * before that line, also empty lines, do not count, as in the code of mini-swe-agent.
 */
export function submittedAfter(markers: readonly string[], output: string): string | undefined {
  const { line, rest } = pythonFirstLine(pythonLeftStrip(output));
  return markers.includes(pythonStrip(line)) ? rest : undefined;
}
