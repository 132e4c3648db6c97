// What `npm test` runs. A stage is a list of commands, each one Node script with its arguments, run under Node 24.
// Stages of one `lane` run one after the other; scripts/runStages.mjs says which lanes run in parallel. `again` returns
// the commands that run only some of its test files, or folders if it `takesPlaces`.
const tsc = (...args) => ['node_modules/typescript7/bin/tsc', '--noEmit', '--incremental', ...args];

export const STAGES = [
  {
    name: 'types',
    lane: 1,
    commands: [
      tsc('--tsBuildInfoFile', 'out/types/main.json'),
      tsc('-p', 'webview-ui', '--tsBuildInfoFile', 'out/types/panel.json'),
      tsc('-p', 'bench', '--tsBuildInfoFile', 'out/types/bench.json'),
    ],
  },
  {
    name: 'lint',
    lane: 1,
    commands: [['node_modules/oxlint/bin/oxlint']],
  },
  {
    name: 'format',
    lane: 4,
    commands: [
      ['node_modules/prettier/bin/prettier.cjs', '--check', '--cache', '--cache-location', 'out/prettier', '.'],
    ],
  },
  { name: 'docs', lane: 4, commands: [['scripts/build/docs.mjs']] },
  { name: 'build', lane: 2, commands: [['esbuild.js']] },
  { name: 'architecture', lane: 2, tests: true, commands: [['scripts/unit.mjs', 'architecture.test.ts']] },
  {
    name: 'unit',
    lane: 2,
    tests: true,
    needs: 'build',
    commands: [['scripts/unit.mjs', '--except', 'architecture.test.ts']],
    again: (places) => [['scripts/unit.mjs', ...places]],
    takesPlaces: true,
  },
  {
    name: 'host',
    lane: 3,
    tests: true,
    needs: 'build',
    commands: [['scripts/host-tests.mjs']],
    // All files share one extension host, so they run again together.
    again: () => [['scripts/host-tests.mjs']],
  },
  {
    name: 'window',
    lane: 5,
    tests: true,
    needs: 'build',
    commands: [['scripts/window-tests.mjs']],
    again: (places) => [['scripts/window-tests.mjs', ...places]],
    takesPlaces: true,
  },
];

/**
 * Returns the named stages and those that they need; all if none is named. `places`: test folders or files, allowed
 * with a single named stage. Throws for an unknown name.
 */
export function chooseStages(names, places = []) {
  const unknown = names.filter((name) => !STAGES.some((stage) => stage.name === name));
  if (unknown.length > 0)
    throw new Error(
      `There is no stage ${unknown.join(', ')}. There are: ${STAGES.map((stage) => stage.name).join(', ')}.`,
    );
  if (places.length > 0) return withPlaces(names, places);
  if (names.length === 0) return STAGES;
  const wanted = new Set(names.flatMap((name) => [name, STAGES.find((stage) => stage.name === name).needs]));
  return STAGES.filter((stage) => wanted.has(stage.name));
}

function withPlaces(names, places) {
  const able = STAGES.filter((stage) => stage.takesPlaces).map((stage) => stage.name);
  if (names.length !== 1 || !able.includes(names[0])) {
    const options = able.map((name) => `--only ${name}`).join(' or ');
    throw new Error(`These are tests of one stage: ${places.join(', ')}. Name it with ${options}.`);
  }
  return chooseStages(names).map((stage) =>
    stage.name === names[0] ? { ...stage, commands: stage.again(places) } : stage,
  );
}
