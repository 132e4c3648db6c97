import { hermes } from './hermes';
import { mini, miniText, miniXml, miniV1 } from './mini';
import { openhands } from './openhands';
import type { Profile, Templates, TemplateSources } from '../ports/profile';
import { waymark } from './waymark';
import { workgraph, workgraphJson } from './workgraph';

/** ★ Profiles by name; the first is the default. To add one, add a file and a line here. */
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

/** Throws an `Error` with a message for people that lists the profiles. */
export function profileNamed(name: string): Profile {
  const profile = profiles.find((each) => each.name === name);
  if (!profile)
    throw new Error(
      `There is no agent profile "${name}". Choose one of ${profiles.map((each) => each.name).join(', ')}.`,
    );
  return profile;
}

/** Returns the profile with some templates replaced. `sources`: their files. */
export function withTemplates(profile: Profile, templates: Templates, sources: TemplateSources = {}): Profile {
  return { ...profile, templates: { ...profile.templates, ...templates }, sources: { ...profile.sources, ...sources } };
}
