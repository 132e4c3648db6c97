import * as vscode from 'vscode';
import type { LiveServer } from '../../adapters/mcp/liveServer';
import { mentionOfKind } from '../../core/context/mentions';
import { bestMatches } from '../../core/context/bestMatches';
import { serverSource } from '../../core/mcp/mcpTool';
import type { ResourceTemplate } from '../../core/mcp/offers';
import { beginningOf, variableAt } from '../../core/mcp/uriTemplate';
import type { Completion } from '../../protocol/panel/panel';
import type { MentionKind } from './mentionKind';

const maxOffered = 20;

/** A resource of an MCP server: `@resource:SERVER:ADDRESS`. */
export const resourceMention: MentionKind = {
  offer: () => ({
    label: '@resource',
    detail: vscode.l10n.t('A resource of an MCP server'),
    insert: '@resource:',
    icon: 'database',
    goesOn: true,
  }),
  async complete(query, { mcp }) {
    const all = (await mcp?.all())?.all ?? [];
    const values = (
      await Promise.all(
        serversIn(query, all).flatMap((server) =>
          server.templates.map((template) => valuesFor(server, template, query)),
        ),
      )
    ).flat();
    const listed = all.flatMap(({ named, resources, templates }) => [
      ...resources.map(({ uri, name, description }) => ({
        argument: `${named.name}:${uri}`,
        name,
        description,
        insert: mentionOfKind('resource', `${named.name}:${uri}`),
        goesOn: false,
      })),
      ...templates.map(({ template, name, description }) => ({
        argument: `${named.name}:${template}`,
        name,
        description,
        insert: mentionOfKind('resource', `${named.name}:${beginningOf(template)}`, { open: true }),
        goesOn: true,
      })),
    ]);
    const named = bestMatches(listed, query, {
      nameOf: ({ argument, name }) => `${argument} ${name}`,
      most: maxOffered,
    });
    return [
      ...values,
      ...named.map(({ argument, name, description, insert, goesOn }) => ({
        label: `@resource:${argument}`,
        detail: [name, description].filter(Boolean).join(' – '),
        insert,
        icon: 'database',
        ...(goesOn && { goesOn }),
      })),
    ].slice(0, maxOffered);
  },
  async resolve({ argument, written }, { mcp }) {
    const [server] = serversIn(argument, (await mcp?.all())?.all ?? []);
    if (!server) throw new Error(vscode.l10n.t('No MCP server for {0}. Write @resource:SERVER:ADDRESS.', written));
    const uri = argument.slice(server.named.name.length + 1);
    const [, variable] = /\{[+#./;?&]?([^{}]*)\}?/.exec(uri) ?? [];
    if (variable !== undefined)
      throw new Error(vscode.l10n.t('{0} needs a value for {1}. Type one, or choose a suggestion.', written, variable));
    return {
      label: `${written}: a resource of ${serverSource(server.named.name)}`,
      text: await server.calls.read(uri),
      source: serverSource(server.named.name),
      trust: 'others',
    };
  },
};

/** Returns the servers that an argument may name, longest name first. */
const serversIn = (argument: string, all: readonly LiveServer[]): LiveServer[] =>
  all
    .filter(({ named: { name } }) => argument.startsWith(`${name}:`))
    .sort((a, b) => b.named.name.length - a.named.name.length);

/**
 * Returns values for the variable that is being typed. If nothing was typed and the server suggests none, returns a
 * hint to type one.
 */
async function valuesFor(
  server: LiveServer,
  { template, name, description }: ResourceTemplate,
  query: string,
): Promise<Completion[]> {
  const start = `${server.named.name}:`;
  const at = variableAt(template, query.slice(start.length));
  if (!at) return [];
  const detail = [name, description].filter(Boolean).join(' – ');
  const offered = (await server.calls.valuesFor(template, at)).map((value) => ({
    label: `@resource:${start}${at.filled(value)}`,
    detail: `${at.name}: ${value}`,
    insert: mentionOfKind('resource', start + at.filled(value), { open: !at.last }),
    icon: 'database',
    ...(!at.last && { goesOn: true }),
  }));
  if (offered.length > 0 || at.value !== '') return offered;
  return [
    {
      label: `@resource:${start}${template}`,
      detail: vscode.l10n.t('Create {0}: {1}', at.name, detail),
      insert: mentionOfKind('resource', query, { open: true }),
      icon: 'database',
      goesOn: true,
    },
  ];
}
