import type { ListedModel } from '../../core/model/listedModels';
import type { Provider } from '../../core/model/providers/provider';

/** What a person has said so far of the server and model that they want. Nothing of it counts before it is saved. */
export interface Connection {
  /** Absent for a server that is not in the list of providers. */
  readonly provider?: Provider;
  baseUrl: string;
  /** Undefined: no key. Otherwise the key, or a reference to an environment variable. */
  key: string | undefined;
  /** The models of the server, once they were listed with this address and key. */
  listed?: readonly ListedModel[] | undefined;
  /** What was typed to find a model, for when the person comes back to the list. */
  search: string;
  /** As requests name it. */
  model: string;
}

/** As titles name it: "OpenAI", "127.0.0.1:8000". */
export const nameOf = ({ provider, baseUrl }: Connection): string => provider?.name ?? new URL(baseUrl).host;

/** The listed facts about the chosen model; undefined where its name was typed. */
export const factsOf = ({ listed = [], model }: Connection): ListedModel | undefined =>
  listed.find(({ id }) => id === model);
