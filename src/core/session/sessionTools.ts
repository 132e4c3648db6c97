import { toolsOffered } from '../agent/toolsOffered';
import { settingsOf, type RunSettings } from '../log/runSettings';
import type { History } from '../log/projection';
import type { AgentEnvironment } from '../ports/addedTools';
import type { ToolSchema } from '../ports/model';
import type { Profile } from '../ports/profile';
import type { Tool } from '../ports/tool';
import { profileNamed } from '../profiles/profiles';
import { portsOf, toolSelection, type SessionAgentParts } from './sessionAgent';
import { dialectNamed } from '../tools/dialects/dialects';
import { offeredTools } from '../tools/dialects/dialect';

/** The parts of a session that decide which tools it has. */
export interface SessionToolParts {
  readonly environment: AgentEnvironment;
  /** True if its tools are those of a trusted workspace. */
  readonly trusted: boolean;
  readonly customToolsets: NonNullable<SessionAgentParts['customToolsets']>;
}

/** The tools of an open session. */
export class SessionTools {
  private measured: { readonly added: unknown; readonly names: string; readonly characters: number } | undefined;
  private readonly selectTools = toolSelection();

  constructor(
    private readonly parts: SessionToolParts,
    private readonly history: () => History,
  ) {}

  /** Returns a tool by name. Returns undefined if there is none, or the profile is unknown. */
  toolNamed(name: string): Tool | undefined {
    const settings = settingsOf(this.history());
    try {
      return (
        settings && this.toolsOfProfile(settings, profileNamed(settings.profile)).find((tool) => tool.name === name)
      );
    } catch {
      return undefined;
    }
  }

  /** Returns the tools whose schemas are sent with each request; none if the profile is unknown. */
  toolsSent(settings: RunSettings): readonly Tool[] {
    try {
      const profile = profileNamed(settings.profile);
      return profile.format.kind === 'tool_calls' ? this.toolsOfProfile(settings, profile) : [];
    } catch {
      return [];
    }
  }

  /** Returns the tool schemas as the model gets them. */
  schemasSent(settings: RunSettings): readonly ToolSchema[] {
    const offered = toolsOffered(this.toolsSent(settings), settings.mode, this.history());
    return offeredTools(offered, dialectNamed(settings.dialect));
  }

  /** Returns the size of these schemas in characters. Measures it again only when other tools are offered. */
  characters(settings: RunSettings): number {
    const { addedTools: added, mode } = settings;
    const offered = toolsOffered(this.toolsSent(settings), mode, this.history());
    const names = offered.map(({ name }) => name).join();
    if (this.measured?.added !== added || this.measured?.names !== names) {
      const tools = offeredTools(offered, dialectNamed(settings.dialect));
      this.measured = { added, names, characters: tools.length === 0 ? 0 : JSON.stringify(tools).length };
    }
    return this.measured.characters;
  }

  private toolsOfProfile(settings: RunSettings, profile: Profile): readonly Tool[] {
    const { trusted, customToolsets, environment } = this.parts;
    const added = environment.added?.tools();
    return this.selectTools(settings, profile, {
      trusted,
      custom: customToolsets,
      added,
      has: portsOf(environment),
    });
  }
}
