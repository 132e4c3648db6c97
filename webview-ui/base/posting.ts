import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { post, type Posted } from './host';

/** How a part of a step says something to the host: where two runs are compared, what it says names its own. */
export const Posting = createContext<(message: Posted) => void>(post);
export const usePost = (): ((message: Posted) => void) => useContext(Posting);
