import { createContext } from 'react'

/** The open modal, if any. Popups are rendered inside it, because the rest of the page is inert. */
export const OpenModalContext = createContext<HTMLElement | null>(null)
