import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { post, type Posted } from './host';

/** Function for posting to the host from parts of a step. In a comparison of two runs, it adds the run. */
export const Posting = createContext<(message: Posted) => void>(post);
export const usePost = (): ((message: Posted) => void) => useContext(Posting);
