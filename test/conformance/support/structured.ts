import type { ModelReply } from '../../../src/core/ports/model';
import { says } from './script';

interface StructuredAction {
  readonly type: string;
  readonly args: Readonly<Record<string, string>>;
}

interface StructuredReply {
  /** InstantResponse. */
  readonly say?: string;
  readonly status?: 'Ongoing' | 'Pending' | 'Completed';
  /** `[[A], [B, C]]`: A, then B and C in parallel. */
  readonly groups?: readonly (readonly StructuredAction[])[];
}

/** A syntax for structured replies. */
export interface Syntax {
  readonly name: string;
  readonly profile: string;
  write(reply: StructuredReply): ModelReply;
}

export const run = (command: string): StructuredAction => ({ type: 'run_command', args: { command } });

const elements = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, text]) => `<${name}>${text}</${name}>`)
    .join('');
const asElement = ({ type, args }: StructuredAction): string =>
  `<Action><Type>${type}</Type><Args>${elements(args)}</Args></Action>`;

const groupElement = (group: readonly StructuredAction[]): string =>
  group.length === 1 ? asElement(group[0]!) : `<Actions>${group.map(asElement).join('')}</Actions>`;

export const inXml: Syntax = {
  name: 'XML',
  profile: 'workgraph',
  write: ({ say = '', status = 'Ongoing', groups = [] }) =>
    says(`<StructuredResponse>
<InstantResponse>${say}</InstantResponse><TaskStatus>${status}</TaskStatus>
<ImmediateNextActions>${groups.map(groupElement).join('\n')}</ImmediateNextActions>
</StructuredResponse>`),
};

const inJson: Syntax = {
  name: 'JSON',
  profile: 'workgraph-json',
  write: ({ say = '', status = 'Ongoing', groups = [] }) =>
    says(
      JSON.stringify({
        InstantResponse: say,
        TaskStatus: status,
        ImmediateNextActions: groups.map((group) => group.map(({ type, args }) => ({ Type: type, Args: args }))),
      }),
    ),
};

export const syntaxes: readonly Syntax[] = [inXml, inJson];
