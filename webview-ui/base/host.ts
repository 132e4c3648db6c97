import type { InspectorMessage } from '../../src/protocol/inspector/inspector';
import type { FromPanel, ToPanel } from '../../src/protocol/panel/panel';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** A message from the conversation or the inspector to its host. */
type Posted = FromPanel | InspectorMessage;

interface VsCodeApi {
  postMessage(message: Posted): void;
  getState(): unknown;
  setState(state: SavedState): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** State that survives a reload of the view without help from the host. */
interface SavedState {
  readonly draft?: string;
  /** The draft that the host was last told. */
  readonly sentDraft?: string;
  /** Session on display; restored after a reload of the tab. */
  readonly session?: string | undefined;
  /** Pasted long texts that were not sent. */
  readonly pastes?: readonly string[];
  /** Message that is being edited; null if there is none. */
  readonly editing?: {
    readonly session: string | undefined;
    readonly seq: number;
    readonly text: string;
    readonly before: string;
    readonly pastes: readonly string[];
    readonly waiting?: true;
    readonly delivery?: 'steer';
  } | null;
  /** Editor context excluded from messages, by session; see openParts.ts. */
  readonly leftOut?: Readonly<Record<string, readonly ('editor' | 'others')[]>>;
  /** Scroll and expansion state, because a hidden view is rendered again from scratch. */
  readonly seen?: ScrollState;
}

/** What a view remembers of its place in the list while it is reloaded. */
export interface ScrollState {
  readonly session: string | undefined;
  /** Keys of the expanded rows. */
  readonly opened: readonly string[];
  /** Top row if the person scrolled away from the end, and how far it is scrolled out of view. */
  readonly top?: { readonly key: string; readonly above: number } | undefined;
}

const api = acquireVsCodeApi();

export const post = (message: Posted): void => api.postMessage(message);
export const onMessage = <Message = ToPanel>(handle: (message: Message) => void): void =>
  window.addEventListener('message', (event) => handle(event.data as Message));
export const savedState = (): SavedState | undefined => api.getState() as SavedState | undefined;
export const saveState = (state: SavedState): void => api.setState({ ...savedState(), ...state });

/** Function for posting to the host from parts of a step. In a comparison of two runs, it adds the run. */
export const Posting = createContext<(message: Posted) => void>(post);
export const usePost = (): ((message: Posted) => void) => useContext(Posting);
