import type { Manual, Operands } from '../../calls/manual';
import { flags, type Options, values } from '../../calls/options';
import { judgeTasks } from './buildTasks';
import { judgeProjectInstall } from './installing';
import { judgeRunsProject, judgeServes, judgeTests } from './projectCode';

/** Only reads. An unlisted option is high. */
export const strictReadingManual: Manual = { level: 'low', others: 'high', operands: { rest: 'text' } };

/** Runs code of the project. Its arguments are judged, too. */
export const runsProjectStrictly: Manual = {
  level: 'medium',
  reason: 'Runs code of this project.',
  operands: { rest: 'text' },
  judge: judgeTests,
};

/** Serves the project on this machine. */
export const servesProject: Manual = { ...runsProjectStrictly, judge: judgeServes };

/** Runs well-known tasks of the project by name. */
export const runsTasks: Manual = {
  level: 'high',
  judge: judgeTasks,
  options: [flags('--version -v -q --quiet --verbose --trace'), values('-j')],
};

/** Only reads. */
export const readingManual: Manual = { level: 'low', operands: { rest: 'text' } };

/** Checks, tests or builds the project. */
export const checksOrBuilds = (options: Options, operands: Operands = { rest: 'search' }): Manual => ({
  level: 'low',
  operands,
  options: [flags('--help -h --version -V -v -vv -q --quiet --verbose'), ...options],
});

/** Changes the files given to it. */
export const changesFiles: Manual = {
  level: 'medium',
  reason: 'Changes files of the workspace.',
  operands: { rest: 'write' },
};

/** Runs code of the project. */
export const runsProject: Manual = {
  level: 'medium',
  reason: 'Runs code of this project.',
  operands: { rest: 'text' },
  judge: judgeRunsProject,
};

/** Installs what the project declares. */
export const installsDeclared: Manual = {
  level: 'medium',
  reason: 'Installs dependencies that the project already declares.',
  operands: [],
  judge: judgeProjectInstall,
};

/** A package manager. Verbs that are not rated lower require approval. */
export const installsOrPublishes: Manual = {
  level: 'high',
  reason: 'Installs packages, publishes or changes data.',
};

/** Shows the content of files. */
export const fileReadingManual = (options: Options = [], operands: Operands = { rest: 'read' }): Manual => ({
  level: 'low',
  operands,
  options: [flags('--version -V --help -h'), ...options],
});

/** Checks files of the project. */
export const checksFiles = (options: Options = []): Manual => ({
  level: 'low',
  operands: { rest: 'search' },
  declared: true,
  options: [flags('--version -v --help -h --json --strict --quiet -q --silent -s'), ...options],
});

/** Always requires approval, whatever its words are. */
export const alwaysNeedsApproval = (reason: string): Manual => ({ level: 'high', reason, others: 'high' });

/** Prints the files given to it. */
export const showsFiles = { level: 'low', operands: { rest: 'read' }, others: 'low' } as const;

/** Words that are never paths. */
export const takesText = { level: 'low', others: 'low', loose: true } as const;
