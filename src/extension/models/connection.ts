import type { ListedModel } from '../../core/model/listedModels';
import type { Provider } from '../../core/model/providers/provider';

/** What the user has chosen so far for a server and model. It has no effect until it is saved. */
export interface ModelConnection {
  /** Absent if the server is not a listed provider. */
  readonly provider?: Provider;
  baseUrl: string;
  /** The key, or a reference to an environment variable; undefined if there is no key. */
  key: string | undefined;
  /** The models of the server, once listed with this address and key. */
  listed?: readonly ListedModel[] | undefined;
  /** The text typed to filter the models, restored when the user returns to the list. */
  search: string;
  /** Model name as used in requests. */
  model: string;
}

/** Returns the name for titles, such as "OpenAI" or "127.0.0.1:8000". */
export const connectionName = ({ provider, baseUrl }: ModelConnection): string =>
  provider?.name ?? new URL(baseUrl).host;

/** Returns what the server listed about the chosen model, or undefined if its name was typed. */
export const factsOf = ({ listed = [], model }: ModelConnection): ListedModel | undefined =>
  listed.find(({ id }) => id === model);
