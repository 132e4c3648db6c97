import type {
  AddedTool,
  AllowRule,
  Asking,
  ConfirmationMode,
  Limits,
  Mode,
  ModelInfo,
  SessionContainer,
} from '../../protocol/events/event';
import { sameRule, voidsConsent } from './eventFacts';
import { projection, type History } from './projection';

/** The effective settings of a run: the initial ones with later changes applied. */
export interface RunSettings {
  model: ModelInfo;
  mode: Mode;
  confirmation: ConfirmationMode;
  limits: Limits;
  title: string;
  cwd: string;
  profile: string;
  /** Name of the dialect in which tools are offered. Defaults to Waymark's own. */ dialect?: string;
  toolsets?: readonly string[];
  disabledToolsets?: readonly string[];
  asking?: Asking;
  /** True if there are skills that the model can request. */ offersSkills?: boolean;
  /** Container for commands. Absent if they run on this machine. */ container?: SessionContainer;
  /** Tools provided by MCP servers and other extensions. */ addedTools?: readonly AddedTool[];
  /** Names of the added tools at the start. Set for child sessions and personas, which get no new tools later. */
  keepsTools?: readonly string[];
}

/** Returns the settings, or undefined for a log without a task. */
export const settingsOf: (history: History) => RunSettings | undefined = projection<RunSettings | undefined>(
  () => undefined,
  (state, event) => {
    if (event.type === 'task_started') {
      const {
        model,
        mode = 'confirm',
        confirmation,
        limits,
        title,
        cwd,
        profile = 'waymark',
        dialect,
        toolsets,
        disabledToolsets,
        asking,
        addedTools,
        container,
      } = event;
      return {
        model,
        mode,
        confirmation,
        limits,
        title,
        cwd,
        profile,
        ...(dialect !== undefined && { dialect }),
        ...(toolsets && { toolsets }),
        ...(disabledToolsets && { disabledToolsets }),
        ...(asking && { asking }),
        ...(container && { container }),
        ...(event.skills?.some(({ kind }) => kind === 'skill') && { offersSkills: true }),
        ...(addedTools && { addedTools }),
        ...((event.parent || event.persona) && { keepsTools: addedTools?.map(({ name }) => name) ?? [] }),
      };
    }
    if (event.type !== 'settings_changed' || !state) return undefined;
    const {
      model = state.model,
      mode = state.mode,
      confirmation = state.confirmation,
      limits = state.limits,
      title = state.title,
      asking = state.asking,
      addedTools = state.addedTools,
      container = state.container,
    } = event;
    const { container: _, ...unchanged } = state;
    return {
      ...unchanged,
      model,
      mode,
      confirmation,
      limits,
      title,
      ...(asking && { asking }),
      ...(addedTools && { addedTools }),
      ...(container && { container }),
    };
  },
);

export const allowRulesOf: (history: History) => readonly AllowRule[] = projection<AllowRule[]>(
  () => [],
  (rules, event) => {
    if (event.type === 'allow_rule_added' && event.revoked) return rules.filter((rule) => !sameRule(rule, event.rule));
    if (event.type === 'allow_rule_added') rules.push(event.rule);
    return voidsConsent(event) ? [] : undefined;
  },
);
