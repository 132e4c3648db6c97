import type { EventType } from './event';

/**
 * Version of the output of `waymark run --json`. Within a version, events only gain types, optional fields and
 * enumeration values. Removing something or changing its meaning requires a new version.
 */
export const eventsVersion = 1;

/** Meaning of each event, in one sentence for readers of the stream. */
export const eventWords: Readonly<Record<EventType, string>> = {
  task_started: 'The session begins with this task, system prompt, model, tools, folder and limits.',
  settings_changed: 'The model, the mode, the limits or another setting changed; only what changed is named.',
  user_message: 'A person wrote to the agent after the task.',
  message_changed: 'A person held, moved or took back a message that the agent had not read.',
  agent_response: 'The model replied: its text, its reasoning, the actions it asks for, and what the call cost.',
  confirmation_requested: 'Actions wait for approval.',
  confirmation_resolved: 'A person or a rule approved or rejected actions.',
  allow_rule_added: 'A person gave or revoked a standing permission.',
  question_asked: 'The agent asks the person a question.',
  action_started: 'An action begins; written before anything is done.',
  observation: 'An action ended with this outcome and this result. Every action gets exactly one.',
  feedback: 'Waymark wrote to the model, for example that its reply could not be read.',
  retry_scheduled: 'A model call failed and is retried after a delay.',
  condensation_requested: 'Earlier messages will be summarized before the next model call.',
  condensation: 'Earlier messages were replaced by a summary for the model; the events stay in the log.',
  skill_woken: 'The model got the text of a skill because of a word, a command or a path.',
  hook_ran: 'A hook ran, with its decision, if any.',
  child_started: 'An action started a subsession, whose events have its id in `child`.',
  notice: 'Information for the person.',
  pause_requested: 'The run will pause at its next checkpoint.',
  paused: 'The run paused, with the reason.',
  resumed: 'The run continues.',
  finished: 'The run ended: submitted, at a limit, failed or stopped.',
};
