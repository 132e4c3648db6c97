// Shares the test files out to processes, so that on two cores none of them waits for another at the end.

/**
 * Files that take 20 seconds or more, longest first, as measured in a full run (`npm test` prints the slowest tests).
 * Each is a part of its own and starts before all others. Named by first folder and file name.
 */
export const longest = [
  'webview/everybody.test.ts',
  'designs/designs.test.ts',
  'security/incidents.test.ts',
  'cli/evaluate.test.ts',
  'contracts/terminal.test.ts',
  'contracts/runs.test.ts',
  'linear/readers.test.ts',
  'faults/streams.test.ts',
  'faults/chaos.test.ts',
  'cli/mcp.test.ts',
  'adapters/randomRuns.test.ts',
  'security/headlines.test.ts',
  'linear/regexes.test.ts',
  'webview/inspector.test.ts',
  'adapters/contract.test.ts',
  'scripts/package.test.ts',
  'cli/bestOf.test.ts',
  'cli/undo.test.ts',
  'adapters/floods.test.ts',
  'conformance/conformance.test.ts',
  'cli/exitCode.test.ts',
  'scripts/build.test.ts',
  'core/allowRules.test.ts',
  'cli/skills.test.ts',
  'adapters/servers.test.ts',
  'adapters/sandboxHold.test.ts',
  'cli/hooks.test.ts',
  'scripts/architectureGuides.test.ts',
  'core/assessFamilies.test.ts',
];

/** Long ones that mostly wait, for a timeout or for something to end. They run in parallel with all others. */
export const waiting = [
  'cli/batch.test.ts',
  'security/plan.test.ts',
  'faults/limits-of-processes-and-files.test.ts',
  'cli/readersGone.test.ts',
  'adapters/sandboxLimits.test.ts',
  'webview/panelSize.test.ts',
  'adapters/terminal.test.ts',
  'webview/panel.test.ts',
  'webview/approvalCard.test.ts',
  'cli/terminal.test.ts',
  'core/bash.test.ts',
];

/** Consecutive files share what they import; a part contains few, so that no worker is left with a long one. */
const filesInPart = 16;
/** Slowest first. */
const slowFolders = ['linear', 'faults', 'cli', 'adapters', 'conformance', 'security', 'webview'];

/** Returns the name used in `longest` and `waiting` for a test file, given its path in `test`. */
export const shortName = (source) => {
  const steps = source.split(/[\\/]/);
  return `${steps[0]}/${steps.at(-1)}`;
};

/**
 * Returns the parts of a run of all `files`, and those that run in parallel. `sourceOf` returns the source of a bundled
 * file.
 */
export function partsOf(files, sourceOf) {
  const named = (names) =>
    files
      .filter((file) => names.includes(shortName(sourceOf(file))))
      .toSorted((a, b) => names.indexOf(shortName(sourceOf(a))) - names.indexOf(shortName(sourceOf(b))));
  const [long, beside] = [named(longest), named(waiting)];
  const turnOf = (file) => {
    const turn = slowFolders.indexOf(sourceOf(file).split(/[\\/]/)[0]);
    return turn < 0 ? slowFolders.length : turn;
  };
  const others = files
    .filter((file) => !long.includes(file) && !beside.includes(file))
    .toSorted((a, b) => turnOf(a) - turnOf(b));
  const inParts = Array.from({ length: Math.ceil(others.length / filesInPart) }, (_, part) =>
    others.slice(part * filesInPart, (part + 1) * filesInPart),
  );
  return { parts: [...long.map((file) => [file]), ...inParts], beside: beside.map((file) => [file]) };
}
