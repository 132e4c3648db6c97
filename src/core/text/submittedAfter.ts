import { pythonFirstLine, pythonLeftStrip, pythonStrip } from './pythonBlanks';

/**
 * What an output submits whose first line is one of the markers: everything after that line; undefined if there is no
 * marker. Blanks and empty lines before the marker are ignored, as in the code of mini-swe-agent.
 */
export function submittedAfter(markers: readonly string[], output: string): string | undefined {
  const { line, rest } = pythonFirstLine(pythonLeftStrip(output));
  return markers.includes(pythonStrip(line)) ? rest : undefined;
}
