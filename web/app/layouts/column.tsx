import type { ReactNode } from 'react'
import type { Layout } from '#contract/screens.ts'

/** How wide a screen is inside the frame. */
const columns: Record<Exclude<Layout, 'no-auth'>, string> = {
  default: 'flex-1 flex flex-col',
  'container-2xl': 'mx-auto w-full max-w-[672px] flex-1 px-4 py-6 frame:py-10',
  'container-full': 'w-full flex-1 px-4 py-6 frame:px-8 frame:py-8',
}

export function Column({ layout, children }: { layout: keyof typeof columns; children: ReactNode }) {
  return <div className={columns[layout]}>{children}</div>
}
