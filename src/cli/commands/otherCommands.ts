import { Argument, Option, type Command } from 'commander';
import type { ControlWord } from '../../core/session/outsideControl';
import { addSettingFlags, apiKeyVariable, givenSettings, number, ordinal } from '../run/settingFlags';
import { exitCodeWords } from '../output/exitCodes';

/** Only the main model is checked, so options for additional models are left out. */
const besideModel: readonly string[] = ['model.fallbacks', 'model.alternates', 'model.alternation', 'model.vision'];

const collect = (text: string, before: string[] = []): string[] => [...before, text];

/** Adds all commands except `run` and those for batches. Each loads its implementation when it is called. */
export function addOtherCommands(program: Command): void {
  program
    .command('control')
    .description(
      `Tell a run in another process to pause at its next halt, go on, go one half of a step, or stop. ${exitCodeWords('control')}`,
    )
    .argument('<log>', 'the log of the run, or the id of its session')
    .addArgument(new Argument('<what>', 'pause, resume, step or stop').choices(['pause', 'resume', 'step', 'stop']))
    .action(async (log: string, word: ControlWord) => {
      const { control } = await import('./control');
      process.exitCode = await control(log, word);
    });

  addSettingFlags(
    program
      .command('check-model')
      .description(`Make one small call and tell what a model and its server support. ${exitCodeWords('check-model')}`)
      .addOption(apiKeyVariable())
      .option('--images', 'also show it a picture, with one more call')
      .option('--json', 'the report as JSON'),
    ({ group, key }) => group === 'Model' && !besideModel.includes(key),
  ).action(async (own: Omit<import('./checkModel').CheckOptions, 'settings'>, command: Command) => {
    const { checkModel } = await import('./checkModel');
    process.exitCode = await checkModel({ ...own, settings: await givenSettings(command) });
  });

  program
    .command('assess')
    .description(
      `Say how a shell command would be judged, and by which rules. Nothing is run. ${exitCodeWords('assess')}`,
    )
    .argument('[command]', 'the command, in quotation marks')
    .option('--cwd <folder>', 'the workspace folder; the one you are in when left out')
    .option('--shell <name>', 'bash, sh, zsh, powershell or cmd')
    .option('--jsonl', 'read {"id","command","shell"} lines, write {"id","level","reasons"} lines')
    .option('--json', 'the explanation as JSON')
    .action(async (command: string | undefined, options: import('./assess').AssessOptions) => {
      const { assess } = await import('./assess');
      process.exitCode = await assess(command, options);
    });

  program
    .command('inspect')
    .description(`Show a run in the terminal: its steps, or one of them whole. ${exitCodeWords('inspect')}`)
    .argument('<file>', 'a trajectory of any format that can be read, or the id of a session')
    .option('--step <n>', 'one step whole: reasoning, reply, calls and results', ordinal)
    .option('--run <n>', 'which of several runs in one file', ordinal)
    .option('--json', 'as JSON')
    .action(async (file: string, options: import('./inspect').InspectOptions) => {
      const { inspect } = await import('./inspect');
      process.exitCode = await inspect(file, options);
    });

  program
    .command('export')
    .description(`Write a run in another format. Secrets are masked. ${exitCodeWords('export')}`)
    .argument('<file>', 'a trajectory of any format that can be read, or the id of a session')
    .requiredOption('--to <format>', 'mini, sharegpt, openhands, atif, openai, html, or waymark')
    .option('--out <path>', 'where to; named after the run in the folder you are in when left out; - prints it')
    .option('--force', 'replace what is there')
    .option('--run <n>', 'which of several runs in one file', ordinal)
    .action(async (file: string, options: import('./export').ExportOptions) => {
      const { exportRun } = await import('./export');
      process.exitCode = await exportRun(file, options);
    });

  addSettingFlags(
    program
      .command('replay')
      .description(
        `Do again what a run did, in a copy of a folder, and say where the results differ; no model is asked. ${exitCodeWords('replay')}`,
      )
      .argument('<file>', 'a trajectory of any format that can be read, or the id of a session')
      .requiredOption('--cwd <folder>', 'the workspace of the run; a copy of it is used')
      .option('--in-place', 'use the folder itself and no copy')
      .option('--keep', 'keep the copy')
      .option(
        '--commit <hash>',
        'put the copy back to this commit; the one that the log says the run began with when left out',
      )
      .option('--as-it-is', 'leave the copy as the folder is now')
      .option('--run <n>', 'which of several runs in one file', ordinal)
      .option('--json', 'the result as JSON; nothing is asked then'),
    ({ key }) => key === 'sandbox',
  ).action(async (file: string, options: import('./replay').ReplayOptions) => {
    const { replay } = await import('./replay');
    process.exitCode = await replay(file, options);
  });

  program
    .command('changes')
    .description(
      `List what a run changed and what of it waits for review: net for each file, with hunks and the steps that made them. Changes by commands count. ${exitCodeWords('changes')}`,
    )
    .argument('<log>', 'the log of a run, or the id of a session')
    .option('--from <n>', 'the first step that counts', ordinal)
    .option('--to <n>', 'the last step that counts', ordinal)
    .option('--diff', 'the lines of each hunk')
    .option('--json', 'as JSON')
    .action(async (log: string, options: import('./changes').ChangesOptions) => {
      const { changes } = await import('./changes');
      process.exitCode = await changes(log, options);
    });

  program
    .command('undo')
    .description(`Undo what a run changed in files; what you changed yourself stays. ${exitCodeWords('undo')}`)
    .argument('<log>', 'the log of a run, or the id of a session')
    .option('--to-step <n>', 'back to the end of this step; 0 is before the first', number)
    .option('--file <path>', 'the changes of this file alone; may be given several times', collect)
    .option('--hunk <id>', 'this hunk alone, as "waymark changes --diff" names it; may be given several times', collect)
    .option('--dry-run', 'show what would be done, and do nothing')
    .option('--redo', 'take the latest undo back')
    .option('--agree', 'undo what can be undone, where not all can be')
    .option('--json', 'as JSON')
    .action(async (log: string, options: import('./undo').UndoOptions) => {
      const { undo } = await import('./undo');
      process.exitCode = await undo(log, options);
    });

  program
    .command('apply')
    .description(
      `Make the edits in the files that a run held back for review (--apply-edits afterReview), or discard them. ${exitCodeWords('apply')}`,
    )
    .argument('<log>', 'the log of a run, or the id of a session')
    .option('--file <path>', 'the edits of this file alone; may be given several times', collect)
    .option('--hunk <id>', 'this hunk alone, as "waymark changes --diff" names it; may be given several times', collect)
    .option('--discard', 'forget the edits; the files stay as they are')
    .option('--json', 'as JSON')
    .action(async (log: string, options: import('./apply').ApplyOptions) => {
      const { apply } = await import('./apply');
      process.exitCode = await apply(log, options);
    });

  program
    .command('bring-back')
    .description(
      `Bring what a run changed in its worktree back to the folder that it was made from. Where both changed, a three-way merge decides. ${exitCodeWords('bring-back')}`,
    )
    .argument('<log>', 'the log of a run in a worktree, or the id of a session')
    .option('--file <path>', 'the changes of this file alone; may be given several times', collect)
    .option('--hunk <id>', 'this hunk alone, as "waymark changes --diff" names it; may be given several times', collect)
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('--undo', 'take what was brought last out of the folder again')
    .option('--json', 'as JSON')
    .action(async (log: string, options: import('./bringBack').BringBackOptions) => {
      const { bringBack } = await import('./bringBack');
      process.exitCode = await bringBack(log, options);
    });

  program
    .command('worktrees')
    .description(
      `List the worktrees of runs and how many changes in them wait to be brought back, or remove some. ${exitCodeWords('worktrees')}`,
    )
    .option('--remove <id>', 'remove this one; may be given several times', collect)
    .option('--clean', 'remove those in which nothing waits and no run works')
    .option('--agree', 'remove it although changes wait in it')
    .option('--json', 'as JSON')
    .action(async (options: import('./worktrees').WorktreesOptions) => {
      const { worktrees } = await import('./worktrees');
      process.exitCode = await worktrees(options);
    });

  program
    .command('skills')
    .description(
      `List what a folder and your home folder teach the agent: instruction files, skills, personas. ${exitCodeWords('skills')}`,
    )
    .option('--cwd <folder>', 'the workspace folder; the one you are in when left out')
    .option('--model <name>', 'the model that it would be for: some files are for one family only')
    .option(
      '--review',
      'show what changed since it was last used, and ask at a terminal whether the agent is to go by it',
    )
    .option('--agree', 'agree to what changed without a question')
    .option('--json', 'as JSON')
    .action(async (options: import('./skills').SkillsOptions) => {
      const { skills } = await import('./skills');
      process.exitCode = await skills(options);
    });

  program
    .command('hooks')
    .description(
      `List the hooks of a folder and of your home folder, what they run, and whether you agreed to them. ${exitCodeWords('hooks')}`,
    )
    .option('--cwd <folder>', 'the workspace folder; the one you are in when left out')
    .option('--review', 'show what nobody agreed to and what changed, and ask at a terminal whether it is to run')
    .option('--agree', 'agree to it without a question')
    .option('--revoke', 'take back what was agreed to')
    .option('--json', 'as JSON')
    .action(async (options: import('./hooks').HooksOptions) => {
      const { hooks } = await import('./hooks');
      process.exitCode = await hooks(options);
    });

  program
    .command('mcp')
    .description(
      `List the MCP servers that a folder names, without starting them; or start one and list what it offers. ${exitCodeWords('mcp')}`,
    )
    .option('--cwd <folder>', 'the workspace folder; the one you are in when left out')
    .option('--start <name>', 'start this one, after a question, and list its tools')
    .option('--agree', 'start it without a question')
    .addOption(new Option('--allow-mcp', 'as --agree').hideHelp())
    .option('--revoke <name>', 'take back what was agreed to for this one')
    .option('--json', 'as JSON')
    .action(async (options: import('./mcp').McpOptions) => {
      const { mcp } = await import('./mcp');
      process.exitCode = await mcp(options);
    });
}
