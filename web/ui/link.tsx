import type { AnchorHTMLAttributes } from 'react'
import { Link as RouterLink } from 'wouter'
import { findScreen } from '#contract/screens.ts'

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string
}

/** A link to a screen; only its content where the screen belongs to a feature that the page does not have. */
export function Link(props: LinkProps) {
  return findScreen(props.href) ? <RouterLink {...props} /> : props.children
}
