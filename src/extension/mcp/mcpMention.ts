import * as vscode from 'vscode';
import { ranked } from '../../core/context/rank';
import { sourceOf } from '../../core/mcp/mcpTool';
import type { MentionKind } from '../context/mentionKind';

/** What a server shows: `@resource:SERVER:ADDRESS`. */
export const resourceMention: MentionKind = {
  offer: () => ({ label: '@resource', detail: vscode.l10n.t('Something that an MCP server shows'), insert: '@resource:', icon: 'database', goesOn: true }),
  async complete(query, { mcp }) {
    const all = ((await mcp?.all())?.all ?? []).flatMap(({ named, resources }) => resources.map(resource => ({ ...resource, argument: `${named.name}:${resource.uri}` })));
    return ranked(all, query, ({ argument, name }) => `${argument} ${name}`, 20).map(({ argument, name, description }) => ({ label: `@resource:${argument}`, detail: [name, description].filter(Boolean).join(' – '), insert: /[\s"]/.test(argument) ? `@resource:"${argument}"` : `@resource:${argument}`, icon: 'database' }));
  },
  async resolve({ argument, written }, { mcp }) {
    const server = ((await mcp?.all())?.all ?? []).filter(({ named: { name } }) => argument.startsWith(`${name}:`)).sort((a, b) => b.named.name.length - a.named.name.length)[0];
    if (!server) throw new Error(vscode.l10n.t('There is no MCP server for {0}. A resource is named as @resource:SERVER:ADDRESS.', written));
    const uri = argument.slice(server.named.name.length + 1);
    return { label: `${written}: a resource of ${sourceOf(server.named.name)}`, text: await server.calls.read(uri), source: sourceOf(server.named.name), trust: 'others' };
  },
};
