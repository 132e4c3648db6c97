import type { Assessment } from '../../../protocol/events/event';
import { projection, type History } from '../../log/projection';
import { neverCutOff } from '../../ports/cutOff';
import type { DeletedPath, Scripts, LossIfDeleted, PathUse, ProtectedBelow, TemporaryFile } from '../../ports/scripts';
import { assessCommand } from '../../shell/assessCommand';
import type { CommandContext, FoundScript, GitSettingsVerdict, ScriptKind } from '../../shell/effects/context';
import { ScriptReaders } from './scriptReaders';

const MAX_ROUNDS = 12;
const MAX_SCRIPTS = 60;
const MAX_LINKS = 1000;
/** Folders moved, copied or deleted as a whole. */
const MAX_MOVED = 200;

/** Judges a command and the scripts that it runs. The result contains the hashes of everything it depends on. */
export async function assessWithScripts(
  command: string,
  context: CommandContext,
  scripts: Scripts,
  history: History,
): Promise<Assessment> {
  const judged = await withScripts(context, scripts, history, (full) => assessCommand(command, full));
  if (!judged) return { level: 'high', reasons: ['Runs too many nested scripts to judge.'], culprit: command };
  return Object.keys(judged.pins).length > 0 ? { ...judged.answer, pins: judged.pins } : judged.answer;
}

/**
 * Judges repeatedly. Whatever the analyser looks up is read from disk before the next round, until nothing is missing.
 * Returns undefined after too many rounds.
 */
export async function withScripts<Answer>(
  context: CommandContext,
  scripts: Scripts,
  history: History,
  judge: (context: CommandContext) => Answer,
): Promise<{ answer: Answer; pins: Record<string, string> } | undefined> {
  const { cutOff = neverCutOff } = context;
  const readers = new ScriptReaders(context, scripts, history);
  const { pins } = readers;
  const answers = answersOf(scripts, readers, { history, fileSystem: context.fileSystem });
  const all = Object.values(answers);
  for (let round = 0; round < MAX_ROUNDS && isAffordable(answers); round++) {
    const answer = cutOff(readers.textRead, () => judge(contextWith(answers, context)));
    if (all.every(({ isComplete }) => isComplete)) return { answer, pins };
    for (const each of all) await each.fetch();
  }
  return undefined;
}

/** What is known from the disk about questions of one kind. A question without an answer waits for `fetch`. */
class Answers<Question, Answer> {
  private readonly answers = new Map<string, Answer>();
  private readonly questions = new Map<string, Question>();

  /** `find`: returns the answers to some questions, in their order. */
  constructor(private readonly find: (questions: readonly Question[]) => Promise<readonly Answer[]>) {}

  /** Number of answers. */
  get size(): number {
    return this.answers.size;
  }

  get isComplete(): boolean {
    return this.questions.size === 0;
  }

  /** Returns the answer. Returns undefined, and notes the question, if it is not known yet. */
  to(question: Question): Answer | undefined {
    const key = JSON.stringify(question);
    if (!this.answers.has(key)) this.questions.set(key, question);
    return this.answers.get(key);
  }

  async fetch(): Promise<void> {
    if (this.isComplete) return;
    const found = await this.find([...this.questions.values()]);
    [...this.questions.keys()].forEach((key, index) => this.answers.set(key, found[index]!));
    this.questions.clear();
  }
}

interface DiskAnswers {
  readonly git: Answers<'settings', GitSettingsVerdict>;
  readonly scripts: Answers<readonly [kind: ScriptKind, name: string, folder: string], FoundScript | undefined>;
  readonly links: Answers<readonly [path: string, pattern: boolean], readonly string[]>;
  readonly below: Answers<readonly [path: string, pattern: 'visible' | 'hidden' | undefined], ProtectedBelow>;
  readonly excluded: Answers<readonly [path: string, how: PathUse], string | undefined>;
  readonly temporary: Answers<string, TemporaryFile>;
  readonly losses: Answers<DeletedPath, LossIfDeleted>;
}

function answersOf(
  scripts: Scripts,
  readers: ScriptReaders,
  { history, fileSystem }: { readonly history: History; readonly fileSystem: string | undefined },
): DiskAnswers {
  const since = history[0]?.at ?? Infinity;
  return {
    git: new Answers(oneByOne(() => readers.git())),
    scripts: new Answers(oneByOne(([kind, name, folder]) => readers.read(kind, name, folder))),
    links: new Answers(oneByOne(([path, pattern]) => scripts.linkTargets(path, pattern))),
    below: new Answers(oneByOne(([path, pattern]) => scripts.protectedBelow(path, pattern, fileSystem))),
    excluded: new Answers(oneByOne(([path, how]) => scripts.excludedPath(path, how))),
    temporary: new Answers(oneByOne((path) => scripts.temporaryFile(path, since))),
    losses: new Answers(async (deleted) => {
      const found = await scripts.inGit(deleted, filesMade(history));
      return deleted.map((_, index) => found[index] ?? 'unknown');
    }),
  };
}

const oneByOne =
  <Question, Answer>(find: (question: Question) => Promise<Answer>) =>
  async (questions: readonly Question[]): Promise<Answer[]> => {
    const found: Answer[] = [];
    for (const question of questions) found.push(await find(question));
    return found;
  };

const isAffordable = ({ scripts, links, below, excluded }: DiskAnswers): boolean =>
  scripts.size <= MAX_SCRIPTS && links.size <= MAX_LINKS && below.size <= MAX_MOVED && excluded.size <= MAX_LINKS;

/** Returns the context with what is known from the disk. Looking up anything else notes the question. */
function contextWith(answers: DiskAnswers, context: CommandContext): CommandContext {
  return {
    ...context,
    lookUp: (kind, name, folder) => answers.scripts.to([kind, name, folder]),
    linkTargets: (path, pattern) => answers.links.to([path, pattern]) ?? [],
    protectedBelow: (path, pattern) => answers.below.to([path, pattern]),
    excludedPath: (path, { pattern, within }) => answers.excluded.to([path, { pattern, within }]),
    inGit: (path, pattern) => answers.losses.to({ path, pattern }),
    temporaryFile: (path) => (context.temporaryFile ? context.temporaryFile(path) : answers.temporary.to(path)),
    gitSettings: () => answers.git.to('settings'),
  };
}

/** Versions of the files that the session's own tools created, as the tools last left them. */
const filesMade = projection<Map<string, string>>(
  () => new Map(),
  (made, event) => {
    if (event.type !== 'observation' || event.details?.kind !== 'edit') return;
    for (const { path, kind, version } of event.details.changes) {
      if (kind === 'deleted') made.delete(path);
      else if (version !== undefined && (kind === 'created' || made.has(path))) made.set(path, version);
    }
  },
);
