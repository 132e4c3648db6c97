import * as vscode from 'vscode';
import { secrets } from '../../core/secrets/secrets';
import type { PartKind, RequestPart } from '../../core/context/requestParts';
import { maskedMessage } from '../common/problemReports';
import { nextTaskFacts } from '../sessions/nextTask';
import { contextScheme } from './activeEditor';
import type { Composing } from './composing';
import type { RequestSources } from './nextRequest';

const place = vscode.Uri.from({ scheme: contextScheme, path: '/Context.md' });

const titles = (): Readonly<Record<PartKind, string>> => ({
  system: vscode.l10n.t('System prompt'),
  skills: vscode.l10n.t('Skills and instructions'),
  memory: vscode.l10n.t('Memory'),
  tool: vscode.l10n.t('Tool'),
  message: vscode.l10n.t('Message'),
  context: vscode.l10n.t('Mentioned'),
  image: vscode.l10n.t('Picture'),
  skill: vscode.l10n.t('Skill'),
  reply: vscode.l10n.t('Reply'),
  reasoning: vscode.l10n.t('Reasoning'),
  result: vscode.l10n.t('Result'),
  note: vscode.l10n.t('Note'),
  summary: vscode.l10n.t('Summary'),
});

/** The composer of a message and its session. */
interface WrittenIn {
  readonly composing: Pick<Composing, 'attachments' | 'attachMentions'>;
  readonly shown: RequestSources['shown'];
}

/** Shows every part of the next request with its tokens, as a read-only document. */
export class ContextView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;
  private text = '';
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(contextScheme, this);

  constructor(private readonly window: Omit<RequestSources, 'shown'>) {}

  provideTextDocumentContent(): string {
    return this.text;
  }

  /** Shows the request that would be sent now. `typed`: the text in the composer. */
  async show({ composing, shown }: WrittenIn, typed: string): Promise<void> {
    const draft = typed.trim();
    let problem: string | undefined;
    const { editor, others, pictures: chosen } = composing.attachments;
    const composed = await composing
      .attachMentions(draft, draft === '' ? {} : { editor, others })
      .catch((thrown: unknown) => {
        problem = maskedMessage(thrown);
        return { text: draft, context: [] };
      });
    const { nextRequest } = await import('./nextRequest');
    const { parts, dialect } = await nextRequest({ ...this.window, shown }, composed);
    const pictures = draft === '' ? 0 : chosen;
    const all = [
      ...parts,
      ...Array.from({ length: pictures }, (): RequestPart => ({ kind: 'image', name: '', text: '', tokens: null })),
    ];
    const seesNow = nextTaskFacts().sees
      ? all
      : all.map((part) =>
          part.kind === 'image'
            ? {
                ...part,
                name: [part.name, vscode.l10n.t('omitted, because the model cannot read images')]
                  .filter(Boolean)
                  .join(', '),
                tokens: 0,
              }
            : part,
        );
    this.text = secrets.mask(contextDocument(seesNow, dialect?.name, problem));
    this.changes.fire(place);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(place), { preview: true });
  }

  dispose(): void {
    this.registration.dispose();
    this.changes.dispose();
  }
}

function contextDocument(
  parts: readonly RequestPart[],
  dialect: string | undefined,
  problem: string | undefined,
): string {
  const names = titles();
  const titled = parts.map((part) => ({
    ...part,
    title: [names[part.kind], part.name.replace(/[|\r\n]+/g, ' ')].filter(Boolean).join(': '),
  }));
  const tokens = (count: number | null): string => (count === null ? vscode.l10n.t('unknown') : count.toLocaleString());
  const total = parts.reduce((sum, part) => sum + (part.tokens ?? 0), 0);
  return (
    [
      `# ${vscode.l10n.t('Next request')}`,
      vscode.l10n.t(
        'About {0} tokens in {1} parts, as the next request would send them.',
        total.toLocaleString(),
        parts.length,
      ),
      ...(dialect === undefined ? [] : [vscode.l10n.t('Tool dialect: {0}.', dialect)]),
      ...(problem === undefined ? [] : [`**${vscode.l10n.t('Cannot be sent: {0}', problem)}**`]),
      table(
        [vscode.l10n.t('Tokens'), vscode.l10n.t('Part')],
        titled.map(({ title, tokens: count }) => [tokens(count), title]),
      ),
      ...titled
        .filter(({ text }) => text !== '')
        .map(({ title, tokens: count, text }) => `## ${title} (${tokens(count)})\n\n${codeBlock(text)}`),
    ].join('\n\n') + '\n'
  );
}

/**
 * Returns a Markdown table that also reads well as source in a narrow editor: numbers come first and are right-aligned,
 * titles are as long as they are.
 */
function table(head: readonly [string, string], rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...[head, ...rows].map(([number]) => number.length));
  const line = ([number, title]: readonly [string, string]): string => `| ${number.padStart(width)} | ${title} |`;
  return [line(head), `|${'-'.repeat(width + 1)}:|---|`, ...rows.map(line)].join('\n');
}

/** Returns a code block whose fence is longer than any run of backticks in the text. */
function codeBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
