import { createContext, type ReactNode } from 'react'

/** Lets the page override how our own image URLs are rendered; null falls back to `<img>`. */
export type ShowOwnImage = (src: string, alt: string) => ReactNode

export const OwnImageContext = createContext<ShowOwnImage>(() => null)
