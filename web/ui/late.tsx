import type { ComponentType } from 'react'
import { type LatePart, useLatePart } from './markdown/late-part.ts'

interface LateProps<Props> {
  part: LatePart<ComponentType<Props>>
  props: Props
}

/** A component whose code is loaded when it is first shown; nothing is rendered until then. */
export function Late<Props extends object>({ part, props }: LateProps<Props>) {
  const Component = useLatePart(part)
  return Component && <Component {...props} />
}
