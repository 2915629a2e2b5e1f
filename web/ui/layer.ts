import { createContext } from 'react'

/** The open modal, if any: what floats must be inside it, for the rest of the page is out of reach. */
export const LayerContext = createContext<HTMLElement | null>(null)
