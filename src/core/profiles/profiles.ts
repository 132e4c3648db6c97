import { hermes } from './hermes';
import { mini } from './mini';
import { miniText, miniXml } from './miniText';
import { miniV1 } from './miniV1';
import { openhands } from './openhands';
import type { Profile, Templates, TemplateSources } from '../ports/profile';
import { waymark } from './waymark';
import { workgraph, workgraphJson } from './workgraph';

/** ★ The ways of working, by name; the first is the default. A new one is one file and one line here. */
export const profiles: readonly Profile[] = [
  waymark,
  mini,
  miniText,
  miniXml,
  miniV1,
  hermes,
  openhands,
  workgraph,
  workgraphJson,
];

/** Throws an `Error` for a person, with the names there are. */
export function profileNamed(name: string): Profile {
  const profile = profiles.find((each) => each.name === name);
  if (!profile)
    throw new Error(
      `There is no agent profile "${name}". Choose one of ${profiles.map((each) => each.name).join(', ')}.`,
    );
  return profile;
}

/** The profile with some of its words replaced. `sources`: the files they come from. */
export function withTemplates(profile: Profile, templates: Templates, sources: TemplateSources = {}): Profile {
  return { ...profile, templates: { ...profile.templates, ...templates }, sources: { ...profile.sources, ...sources } };
}
