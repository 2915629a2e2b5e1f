import { type ComponentType, lazy } from 'react'
import { recoverLostChunk } from '#web/features/builds/lost-chunk.ts'

export interface Part<Props> {
  Component: ComponentType<Props>
  preload: () => Promise<unknown>
}

/** A component that is loaded when it is first shown, or ahead of that. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  return {
    Component: lazy(async () => ({ default: await load().catch(recoverLostChunk) })),
    preload: load,
  }
}
