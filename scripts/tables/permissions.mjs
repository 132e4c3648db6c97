// The tables of docs/security: what may be done when. The code itself is asked, or its lists are printed.

/** Sources of the tables. A bundle of it is passed to `permissionTables`. */
export const permissionSources = `
  export { permissionFor } from './src/core/agent/acting/permission';
  export { whyForbiddenIn } from './src/core/agent/modes';
  export { confirmationPolicies } from './src/core/risk/confirmation';
  export { protectedWrites, secretReads, isGuarded } from './src/core/risk/pathRules';
  export { examineCommand } from './src/core/shell/assessCommand';
  export { allowed, never, fixed } from './src/adapters/processes/childEnvironment';
  export { secretsInHome, secretsOfMachine, neededInRun } from './src/adapters/sandbox/hiddenPlaces';
  export { neverMissing, inGit } from './src/adapters/sandbox/guardedPlaces';
  export { kernelHidden, kernelReadOnly, noNamespaces } from './src/adapters/sandbox/kernelPlaces';
  export { refusals } from './src/adapters/sandbox/systemCallFilter';
  export { memoryFolders } from './src/adapters/sandbox/limits';
  export { variablesAllowedOutside } from './src/core/shell/syntax/variablesOutside';
  export { basis } from './src/adapters/sandbox/findSandbox';
  export { toolsets } from './src/core/tools/toolsets';
`;

const risks = {
  low: { level: 'low' },
  medium: { level: 'medium' },
  high: { level: 'high' },
  unknown: { level: 'unknown' },
  'changes a protected file': { level: 'high', guarded: true },
  floor: { level: 'high', floor: true },
};
const modes = {
  'confirm, `always`': { mode: 'confirm', confirmation: 'always' },
  'confirm, `risky`': { mode: 'confirm', confirmation: 'risky' },
  'auto, or `never`': { mode: 'auto', confirmation: 'never' },
  plan: { mode: 'plan', confirmation: 'risky' },
};
const effects = { reads: 'reads', writes: 'changes files', executes: 'runs a command' };
const disasters = [
  'rm -rf /',
  'rm -rf ~',
  'chmod -R 000 /',
  'fdisk /dev/sda',
  'mkfs.ext4 /dev/sda1',
  'dd if=/dev/zero of=/dev/sda',
  ':(){ :|:& };:',
  'kill -9 -1',
  'shutdown now',
];

export async function permissionTables(code, tools, table) {
  const { protectedWrites, secretReads, isGuarded, toolsets } = code;
  const named = (some) => quoted(new Set(some.map(({ name }) => name)));
  const pathRows = (rules, last) => rules.map((rule) => [quoted(rule.examples), rule.reason, ...last(rule)]);
  return {
    permissions: table(
      ['Action', 'Risk', ...Object.keys(modes), 'confirm, `risky`, untrusted folder'],
      await permissionRows(code),
    ),
    tools: table(
      ['Effect', 'Tools', 'In an untrusted folder'],
      [...new Set(tools.map(({ effect }) => effect))].map((effect) => [
        effect,
        named(tools.filter((tool) => tool.effect === effect)),
        named(toolsets.readOnly.filter((tool) => tool.effect === effect)) || 'none',
      ]),
    ),
    floor: floorTable(code, table),
    protectedPaths: table(
      ['Writing, for example', 'Why', 'Risk', 'When Waymark asks'],
      pathRows(protectedWrites, (rule) => [
        rule.level,
        isGuarded(rule.examples[0]) ? 'in every mode, whatever rules allow' : 'as for its risk',
      ]),
    ),
    secretPaths: table(
      ['Reading, for example', 'Why', 'Risk'],
      pathRows(secretReads, ({ level }) => [level]),
    ),
    environment: environmentTable(code, table),
    sandbox: sandboxTable(code, table),
  };
}

const quoted = (names) => [...names].map((name) => `\`${name}\``).join(' ');

async function permissionRows(code) {
  const rows = [];
  for (const [effect, words] of Object.entries(effects)) {
    for (const [name, risk] of Object.entries(risks)) {
      if (effect === 'reads' && (risk.guarded || risk.floor)) continue;
      const answers = [];
      for (const settings of Object.values(modes)) answers.push(await outcome(code, effect, risk, settings));
      const isOffered = code.toolsets.readOnly.some((tool) => tool.effect === effect);
      rows.push([words, name, ...answers, isOffered ? answers[1] : 'not offered']);
    }
  }
  return rows;
}

/** Returns the outcome for an action that nobody has decided on: the loop's own answer. */
async function outcome({ permissionFor, whyForbiddenIn, confirmationPolicies }, effect, risk, settings) {
  const action = {
    id: 'action',
    tool: 'none',
    input: {},
    summary: '',
    group: 0,
    effect,
    risk: { reasons: [], ...risk },
  };
  const history = [
    { seq: 0, at: 0, type: 'task_started', task: '', title: '', tools: [], cwd: '/', ...settings },
    { seq: 1, at: 0, type: 'agent_response', text: '', actions: [action] },
  ];
  const resolved = { action, tool: undefined, call: undefined };
  // Only a tool's command would be looked up here.
  const environment = { root: '/', terminal: {} };
  if ((await whyForbiddenIn(settings.mode, resolved, environment, history)) !== undefined) return 'refused';
  const { state } = await permissionFor(resolved, { policies: confirmationPolicies, environment }, history);
  if (state !== 'given') return 'asks';
  // Plan mode inspects the text of a command, and here there is none.
  return settings.mode === 'plan' && effect === 'executes' ? 'runs if it only reads' : 'runs';
}

/** Disasters, about which every mode asks. */
function floorTable({ examineCommand }, table) {
  return table(
    ['Example', 'Why every mode asks'],
    disasters.map((command) => {
      const {
        assessment: { floor, reasons },
        effects,
      } = examineCommand(command);
      if (!floor) throw new Error(`${command} is no longer on the floor.`);
      return [`\`${command}\``, effects.find((effect) => effect.floor)?.reason ?? reasons[0]];
    }),
  );
}

/** The variables that commands see. */
function environmentTable(code, table) {
  return table(
    ['Variables', 'What commands see'],
    [
      [`${quoted(code.allowed)} \`LC_*\``, 'the value, unless it is a URL with a user name'],
      [
        quoted(Object.keys(code.fixed)),
        `always ${quoted(Object.entries(code.fixed).map(([name, value]) => `${name}=${value}`))}`,
      ],
      [`\`${code.never.source}\``, 'nothing, even if a setting names them'],
      ['`GIT_EDITOR` `WAYMARK_TERMINAL`', 'set by Waymark'],
      [
        '`TMPDIR` `GOCACHE` `npm_config_logs_max` `npm_config_update_notifier` in the sandbox, proxy variables if domains are allowed, otherwise `npm_config_fetch_retries` `PIP_RETRIES` `UV_HTTP_RETRIES` `CARGO_NET_RETRY`',
        'set by the sandbox',
      ],
      ['others', 'nothing, unless `waymark.terminal.environment` names them'],
    ],
  );
}

/** What commands in the sandbox find. */
function sandboxTable(code, table) {
  // Each option starts a line; its values follow on the same line.
  const flags = code.basis
    .map((flag) => (flag.startsWith('--') ? `\n${flag}` : ` ${flag}`))
    .join('')
    .trim()
    .split('\n');
  return table(
    ['What', 'Inside the sandbox'],
    [
      ['bubblewrap options', `${quoted(flags)} ${quoted(code.noNamespaces)}`],
      [
        'kernel settings',
        `read-only: ${quoted(code.kernelReadOnly)}, and all of \`/sys\`; empty: ${quoted(code.kernelHidden)}`,
      ],
      [
        'system calls',
        `refused: ${code.refusals.map(({ what, calls }) => `${what} (${quoted(Object.keys(calls))})`).join(', ')}; all calls of x32 and of architectures other than x86 and ARM`,
      ],
      [
        'the workspace',
        `writable, except ${quoted([...code.neverMissing.filter((name) => name !== '.git'), ...[...code.inGit.folders, ...code.inGit.files.keys()].map((name) => `.git/${name}`)])} and the files in the table of protected files, at every depth (the nearest 300, not in packages and ignored folders). Missing ones are protected too if they are \`${code.neverMissing.join('`, `')}\` or in \`.git\`. A \`.git\` that is bare, has \`core.worktree\` or contains a link in one of these places is entirely read-only`,
      ],
      ['processes and threads', '2048, or 64 per processor if that is more; beyond that the sandbox is killed'],
      ['memory', 'half of the machine’s memory; beyond that the commands in the sandbox are killed'],
      [
        'disk',
        'per command, three quarters of the free space, in total and for one file; beyond that the commands in the sandbox are killed',
      ],
      ['processor time', 'per process, one hour of all processors; beyond that the process is killed'],
      [
        quoted(Object.keys(code.memoryFolders)),
        `empty, private and in memory; the sizes are ${Object.entries(code.memoryFolders)
          .map(([place, part]) => `${part * 100} % (\`${place}\`)`)
          .join(
            ', ',
          )} of the sandbox’s memory limit, in addition to it. \`/run\` contains only ${quoted(code.neededInRun)}`,
      ],
      ['in the home folder', `empty: ${quoted(code.secretsInHome)}`],
      ['in the system', `empty: ${quoted(code.secretsOfMachine)}`],
      [
        'variables passed to the shell outside',
        `${quoted(code.variablesAllowedOutside.flatMap(({ names }) => names))}, if the value names no file; nothing else`,
      ],
      ['everything else', 'readable, not writable'],
    ],
  );
}
