import { createContext, type ReactNode } from 'react'

/** Shows a picture of ours by what stands around the answer knows of it; null leaves it to the answer. */
export type ShowOwnImage = (src: string, alt: string) => ReactNode

export const OwnImageContext = createContext<ShowOwnImage>(() => null)
