import { Argument, Option, type Command } from 'commander';
import type { ControlWord } from '../../core/session/outsideControl';
import { addSettingFlags, apiKeyVariable, settingsFromFlags } from '../run/settingFlags';
import { countFrom1, number, newCommand } from '../output/newCommand';

/** Only the main model is checked, so options for additional models are left out. */
const additionalModelKeys: readonly string[] = [
  'model.fallbacks',
  'model.alternates',
  'model.alternation',
  'model.vision',
];

const collect = (text: string, before: string[] = []): string[] => [...before, text];

/**
 * Adds all commands except `run` and those for batches. Each loads its implementation when it is called. The help shows
 * them in this order.
 */
export function addOtherCommands(program: Command): void {
  for (const add of [
    addControl,
    addCheckModel,
    addAssess,
    addSessions,
    addInspect,
    addExport,
    addReplay,
    addChanges,
    addUndo,
    addApply,
    addBringBack,
    addWorktrees,
    addSkills,
    addHooks,
    addMcp,
  ])
    add(program);
}

function addControl(program: Command): void {
  newCommand(program, 'control', {
    group: 'Tasks',
    summary: 'Pause, resume, step or stop a run',
    description:
      'Pause, resume, step or stop a run in another process. "pause" takes effect before the next half of a step; "step" runs one half of a step.',
  })
    .argument('<log>', 'log file or session id of the run, or "last"')
    .addArgument(new Argument('<what>', 'what the run should do').choices(['pause', 'resume', 'step', 'stop']))
    .action(async (log: string, word: ControlWord) => {
      const { control } = await import('./control');
      process.exitCode = await control(log, word);
    });
}

function addCheckModel(program: Command): void {
  addSettingFlags(
    newCommand(program, 'check-model', {
      group: 'Setup',
      summary: 'Test a model',
      description: 'Make one small call to a model, and report what the model and its server support.',
    })
      .addOption(apiKeyVariable())
      .option('--images', 'also send a picture, in one more call')
      .option('--json', 'print the report as JSON'),
    ({ group, key }) => group === 'Model' && !additionalModelKeys.includes(key),
  ).action(async (own: Omit<import('./checkModel').CheckOptions, 'settings'>, command: Command) => {
    const { printModelCheck } = await import('./checkModel');
    process.exitCode = await printModelCheck({ ...own, settings: await settingsFromFlags(command) });
  });
}

function addAssess(program: Command): void {
  newCommand(program, 'assess', {
    group: 'Setup',
    summary: 'Show how Waymark judges a shell command',
    description: 'Show how Waymark judges a shell command, and by which rules. The command is not run.',
  })
    .argument('[command]', 'the command, in quotation marks')
    .option('--cwd <folder>', 'workspace folder (default: the current folder)')
    .option('--shell <name>', 'shell of the command: bash, sh, zsh, powershell or cmd')
    .option('--jsonl', 'read {"id","command","shell"} lines, write {"id","level","reasons"} lines')
    .option('--json', 'print the explanation as JSON')
    .action(async (command: string | undefined, options: import('./assess').AssessOptions) => {
      const { assess } = await import('./assess');
      process.exitCode = await assess(command, options);
    });
}

function addSessions(program: Command): void {
  newCommand(program, 'sessions', {
    group: 'Logs',
    summary: 'List the sessions of a folder',
    description:
      'List the sessions that began in the current folder, newest first. Other commands take their ids, or "last" for the newest. A session whose log --log named as a file is not in the list.',
  })
    .option('--all', 'list the sessions of all folders')
    .option('--json', 'print JSON')
    .action(async (options: import('./sessions').SessionsOptions) => {
      const { sessions } = await import('./sessions');
      process.exitCode = sessions(options);
    });
}

function addInspect(program: Command): void {
  newCommand(program, 'inspect', {
    group: 'Logs',
    summary: 'Show a run in the terminal',
    description: 'List the steps of a run in the terminal, or show one step in full.',
  })
    .argument('<file>', 'trajectory file in any supported format, session id, or "last"')
    .option('--step <n>', 'show one step in full: reasoning, reply, calls and results', countFrom1)
    .option('--run <n>', 'number of the run, if the file contains several', countFrom1)
    .option('--json', 'print JSON')
    .action(async (file: string, options: import('./inspect').InspectOptions) => {
      const { inspect } = await import('./inspect');
      process.exitCode = await inspect(file, options);
    });
}

function addExport(program: Command): void {
  newCommand(program, 'export', {
    group: 'Logs',
    summary: 'Convert a run to another format',
    description: 'Convert a run to another format. Secrets are masked.',
  })
    .argument('<file>', 'trajectory file in any supported format, session id, or "last"')
    .requiredOption(
      '--to <format>',
      'output format, required: mini, sharegpt, openhands, atif, openai, html or waymark',
    )
    .option(
      '--out <path>',
      'output path, or - for standard output (default: the name of the run, in the current folder)',
    )
    .option('--force', 'overwrite existing output; of a link, the file that it leads to, which must exist')
    .option('--run <n>', 'number of the run, if the file contains several', countFrom1)
    .action(async (file: string, options: import('./export').ExportOptions) => {
      const { exportRun } = await import('./export');
      process.exitCode = await exportRun(file, options);
    });
}

function addReplay(program: Command): void {
  addSettingFlags(
    newCommand(program, 'replay', {
      group: 'Logs',
      summary: 'Repeat a run in a copy of a folder',
      description:
        'Repeat the actions of a run in a copy of a folder, and show where the results differ. No model is called.',
    })
      .argument('<file>', 'trajectory file in any supported format, session id, or "last"')
      .requiredOption('--cwd <folder>', 'workspace folder of the run, which is copied; required')
      .option('--in-place', 'use the folder itself instead of a copy')
      .option('--keep', 'keep the copy')
      .option(
        '--commit <hash>',
        'reset the copy to this commit (default: the commit at the start of the run, from the log)',
      )
      .option('--as-it-is', 'do not reset the copy')
      .option('--run <n>', 'number of the run, if the file contains several', countFrom1)
      .option('--json', 'print the result as JSON and ask nothing'),
    ({ key }) => key === 'sandbox',
  ).action(async (file: string, options: import('./replay').ReplayOptions) => {
    const { replay } = await import('./replay');
    process.exitCode = await replay(file, options);
  });
}

function addChanges(program: Command): void {
  newCommand(program, 'changes', {
    group: 'Changes',
    summary: 'List the changes of a run',
    description:
      'List what a run changed, including through commands, and what waits for review. Each file is listed once, with its net changes as hunks and the steps that made them.',
  })
    .argument('<log>', 'log file or session id of the run, or "last"')
    .option('--from <n>', 'first step to include', countFrom1)
    .option('--to <n>', 'last step to include', countFrom1)
    .option('--diff', 'show the lines of each hunk')
    .option('--json', 'print JSON')
    .action(async (log: string, options: import('./changes').ChangesOptions) => {
      const { changes } = await import('./changes');
      process.exitCode = await changes(log, options);
    });
}

function addUndo(program: Command): void {
  newCommand(program, 'undo', {
    group: 'Changes',
    summary: 'Undo the changes of a run',
    description: 'Undo the file changes of a run. Your own changes stay.',
  })
    .argument('<log>', 'log file or session id of the run, or "last"')
    .option('--to-step <n>', 'undo only the steps after this one; 0 undoes all', number)
    .option('--file <path>', 'only the changes of this file; repeatable', collect)
    .option('--hunk <id>', 'only this hunk, by its name in "waymark changes --diff"; repeatable', collect)
    .option('--dry-run', 'show what would be undone, without undoing it')
    .option('--redo', 'revert the last undo')
    .option('--agree', 'undo whatever can be undone, without asking; a conflict still changes nothing')
    .option('--json', 'print JSON')
    .action(async (log: string, options: import('./undo').UndoOptions) => {
      const { undo } = await import('./undo');
      process.exitCode = await undo(log, options);
    });
}

function addApply(program: Command): void {
  newCommand(program, 'apply', {
    group: 'Changes',
    summary: 'Apply or discard edits held for review',
    description: 'Apply the edits that a run held back for review (--apply-edits afterReview), or discard them.',
  })
    .argument('<log>', 'log file or session id of the run, or "last"')
    .option('--file <path>', 'only the edits of this file; repeatable', collect)
    .option('--hunk <id>', 'only this hunk, by its name in "waymark changes --diff"; repeatable', collect)
    .option('--discard', 'discard the edits; the files stay as they are')
    .option('--json', 'print JSON')
    .action(async (log: string, options: import('./apply').ApplyOptions) => {
      const { apply } = await import('./apply');
      process.exitCode = await apply(log, options);
    });
}

function addBringBack(program: Command): void {
  newCommand(program, 'bring-back', {
    group: 'Changes',
    summary: 'Bring changes back from a worktree',
    description:
      'Bring the changes of a run in a worktree back to the original folder. Files that changed in both places get a three-way merge.',
  })
    .argument('<log>', 'log file or session id of a run in a worktree, or "last"')
    .option('--file <path>', 'only the changes of this file; repeatable', collect)
    .option('--hunk <id>', 'only this hunk, by its name in "waymark changes --diff"; repeatable', collect)
    .option('--dry-run', 'show what would be written, without writing it')
    .option('--undo', 'undo the last bring-back')
    .option('--json', 'print JSON')
    .action(async (log: string, options: import('./bringBack').BringBackOptions) => {
      const { bringBack } = await import('./bringBack');
      process.exitCode = await bringBack(log, options);
    });
}

function addWorktrees(program: Command): void {
  newCommand(program, 'worktrees', {
    group: 'Changes',
    summary: 'List or remove worktrees of runs',
    description: 'List the worktrees of runs with the number of changes to bring back, or remove worktrees.',
  })
    .option('--remove <id>', 'remove this worktree; repeatable', collect)
    .option('--clean', 'remove all unused worktrees, except those with changes to bring back or only with commits')
    .option('--agree', 'with --remove: also remove changes that were not brought back')
    .option('--json', 'print JSON')
    .action(async (options: import('./worktrees').WorktreesOptions) => {
      const { worktrees } = await import('./worktrees');
      process.exitCode = await worktrees(options);
    });
}

function addSkills(program: Command): void {
  newCommand(program, 'skills', {
    group: 'Setup',
    summary: 'List instructions and skills',
    description: 'List the instruction files, skills and personas of a folder and of your home folder.',
  })
    .option('--cwd <folder>', 'workspace folder (default: the current folder)')
    .option('--model <name>', 'list for this model; some files are for one model family only')
    .option('--review', 'show what changed since its last use, and ask at a terminal whether to use it')
    .option('--agree', 'approve the changes without asking')
    .option('--json', 'print JSON')
    .action(async (options: import('./skills').SkillsOptions) => {
      const { skills } = await import('./skills');
      process.exitCode = await skills(options);
    });
}

function addHooks(program: Command): void {
  newCommand(program, 'hooks', {
    group: 'Setup',
    summary: 'List hooks',
    description: 'List the hooks of a folder and of your home folder, what they run, and whether you approved them.',
  })
    .option('--cwd <folder>', 'workspace folder (default: the current folder)')
    .option('--review', 'show new and changed hooks, and ask at a terminal whether to run them')
    .option('--agree', 'approve them without asking')
    .option('--revoke', 'withdraw the approval')
    .option('--json', 'print JSON')
    .action(async (options: import('./hooks').HooksOptions) => {
      const { hooks } = await import('./hooks');
      process.exitCode = await hooks(options);
    });
}

function addMcp(program: Command): void {
  newCommand(program, 'mcp', {
    group: 'Setup',
    summary: 'List or start MCP servers',
    description: 'List the MCP servers of a folder without starting them, or start one and list what it offers.',
  })
    .option('--cwd <folder>', 'workspace folder (default: the current folder)')
    .option('--start <name>', 'start this server after asking, and list what it offers')
    .option('--agree', 'start it without asking')
    .addOption(new Option('--allow-mcp', 'same as --agree').hideHelp())
    .option('--revoke <name>', 'withdraw the approval of this server')
    .option('--json', 'print JSON')
    .action(async (options: import('./mcp').McpOptions) => {
      const { mcp } = await import('./mcp');
      process.exitCode = await mcp(options);
    });
}
