import { pythonFirstLine, pythonLeftStrip, pythonStrip } from './pythonBlanks';

/**
 * Returns what an output submits: everything after its first line if that line is one of the markers, else undefined.
 * White space and empty lines before the marker are ignored, as in mini-swe-agent.
 */
export function submittedAfter(markers: readonly string[], output: string): string | undefined {
  const { line, rest } = pythonFirstLine(pythonLeftStrip(output));
  return markers.includes(pythonStrip(line)) ? rest : undefined;
}
